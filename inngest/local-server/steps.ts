import type { Operation } from "@/inngest/local-server/protocol";
import { boundedCache } from "@/lib/utils/bounded";

/** A step as in the dashboard; "Waiting" sleeps or is about to be retried. */
export type StepRecord = {
  id: string;
  name: string;
  status: "Running" | "Waiting" | "Completed" | "Failed" | "Cancelled";
  attempts: number;
  output: unknown;
};

export type StepRecords = ReturnType<typeof createStepRecords>;

/** The steps of one run, in the order they started, by the SDK's hashed id. */
export function createStepRecords() {
  const records = boundedCache<string, StepRecord>("steps", 1_000, "A run has no more; the oldest would not be shown.");

  function record(op: Operation, status: StepRecord["status"], attempts: number, output: unknown = null): void {
    const id = op.userland?.id ?? op.id;
    records.set(op.id, { id, name: op.displayName ?? id, status, attempts, output });
  }

  /** A sleep completes without an answer. */
  function endSleep(hashedId: string): void {
    const record = records.get(hashedId);
    if (record) record.status = "Completed";
  }

  function end(): void {
    for (const record of records.values()) {
      if (record.status === "Running" || record.status === "Waiting") record.status = "Cancelled";
    }
  }

  return { record, endSleep, end, all: () => [...records.values()] };
}
