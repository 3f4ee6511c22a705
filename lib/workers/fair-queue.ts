import { bounded } from "@/lib/utils/bounded";

/** One user's jobs queue behind each other, not in front of other users' jobs. */
export type Owned = { owner: string };

/**
 * A bounded queue that serves owners in turn: after one of an owner's jobs, all others come first. It holds at most `max`
 * jobs, `maxPerOwner` per owner.
 */
export function createFairQueue<Job extends Owned>({ max, maxPerOwner }: { max: number; maxPerOwner: number }) {
  // A Map keeps insertion order: the owner served last moves to the end.
  const waiting = bounded<string, Job[]>("owners that wait", max, "Each has a job in the queue, which holds `max`.");
  let length = 0;

  function put({ owner }: Job, jobs: Job[]): void {
    waiting.delete(owner);
    if (jobs.length > 0) waiting.set(owner, jobs);
  }

  return {
    /** Returns false when the queue is full. */
    add(job: Job): boolean {
      const own = waiting.get(job.owner) ?? [];
      if (length >= max || own.length >= maxPerOwner) return false;
      own.push(job);
      waiting.set(job.owner, own);
      length++;
      return true;
    },
    /** The next job that may run now: of the owner served longest ago, the first one. */
    take(mayRun: (job: Job) => boolean): Job | undefined {
      for (const own of waiting.values()) {
        const job = own.find(mayRun);
        if (!job) continue;
        put(
          job,
          own.filter((each) => each !== job),
        );
        length--;
        return job;
      }
      return undefined;
    },
    isEmpty: () => length === 0,
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
