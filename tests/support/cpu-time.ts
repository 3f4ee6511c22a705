/** Milliseconds of processor time that the work took, whoever else was busy meanwhile: the threads of this process count. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
