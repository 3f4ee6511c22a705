/** Whom a job is for: one person's jobs wait behind each other, not in front of everybody else's. */
export type Owned = { owner: string };

/**
 * A bounded waiting line that serves people in turn: after one of a person's jobs, everybody else who waits comes first.
 * `most` jobs in all, `mostEach` of one person.
 */
export function createLine<Job extends Owned>({ most, mostEach }: { most: number; mostEach: number }) {
  // A Map keeps the order of its keys: the person who was served last is put back at the end.
  const waiting = new Map<string, Job[]>();
  let length = 0;

  function put({ owner }: Job, jobs: Job[]): void {
    waiting.delete(owner);
    if (jobs.length > 0) waiting.set(owner, jobs);
  }

  return {
    /** False when there is no room for it. */
    add(job: Job): boolean {
      const own = waiting.get(job.owner) ?? [];
      if (length >= most || own.length >= mostEach) return false;
      own.push(job);
      waiting.set(job.owner, own);
      length++;
      return true;
    },
    /** Takes out the job whose turn it is, of those whose person may have one more at work. */
    take(mayWork: (owner: string) => boolean): Job | undefined {
      for (const [owner, [first, ...rest]] of waiting) {
        if (!first || !mayWork(owner)) continue;
        put(first, rest);
        length--;
        return first;
      }
      return undefined;
    },
    /** Takes out a job that waits no longer. */
    remove(job: Job): void {
      const own = waiting.get(job.owner);
      const at = own?.indexOf(job) ?? -1;
      if (!own || at === -1) return;
      own.splice(at, 1);
      if (own.length === 0) waiting.delete(job.owner);
      length--;
    },
  };
}
