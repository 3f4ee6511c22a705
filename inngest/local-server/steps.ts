import type { Operation } from "@/inngest/local-server/protocol";

/** A step as a dashboard shows it: waiting is asleep, or about to be tried again. */
export type StepRecord = {
  id: string;
  name: string;
  status: "Running" | "Waiting" | "Completed" | "Failed" | "Cancelled";
  attempts: number;
  output: unknown;
};

/** What became of a run's steps, in the order in which they began. */
export type StepRecords = ReturnType<typeof createStepRecords>;

/** Keeps the steps of one run. The SDK's hashed id finds a step; people know it by its own id and name. */
export function createStepRecords() {
  const records = new Map<string, StepRecord>();

  function note(op: Operation, status: StepRecord["status"], attempts: number, output: unknown = null): void {
    const id = op.userland?.id ?? op.id;
    records.set(op.id, { id, name: op.displayName ?? id, status, attempts, output });
  }

  /** A sleep has no answer of its own: it is over when its time is. */
  function endSleep(hashedId: string): void {
    const record = records.get(hashedId);
    if (record) record.status = "Completed";
  }

  /** A run that ends ends its steps; one that was at work is cut off. */
  function end(): void {
    for (const record of records.values()) {
      if (record.status === "Running" || record.status === "Waiting") record.status = "Cancelled";
    }
  }

  return { note, endSleep, end, all: () => [...records.values()] };
}
