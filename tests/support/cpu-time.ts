/** Milliseconds of processor time that the work took, however busy the machine is: the threads of this process count. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return since(before);
}

/** The same of work that waits in between. */
export async function cpuTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return since(before);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
