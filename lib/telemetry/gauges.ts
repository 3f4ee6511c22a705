import "server-only";
import type { BatchObservableResult } from "@opentelemetry/api";
import { pool } from "@/lib/db/pool";
import { requestCounts } from "@/lib/limits/place";
import { log } from "@/lib/log";
import { ourMeter } from "@/lib/telemetry/meters";
import { answerWithin } from "@/lib/utils/answer-within";

/** What is asked of the database, once for each export. */
export type Readings = {
  queue: () => Promise<{ waiting: number; processing: number; oldestWaitSeconds: number }>;
  engine: () => Promise<"up" | "away" | "unknown">;
};

const LIMIT_MS = 2_000;

/** Reports the state of this process and of the queues with each export of the metrics. */
export function observeGauges(readings: Readings): void {
  const meter = ourMeter();
  const connections = meter.createObservableGauge("planner.db.connections", { description: "Of this process's pool" });
  const requests = meter.createObservableGauge("planner.requests", { description: "Of this process, by state" });
  const waiting = meter.createObservableGauge("planner.queue.items", { description: "Items of all queues by state" });
  const oldest = meter.createObservableGauge("planner.queue.oldest_wait", { unit: "s" });
  const away = meter.createObservableGauge("planner.engine.away", { description: "1 while the job engine is away" });

  async function observe(result: BatchObservableResult): Promise<void> {
    result.observe(connections, pool.totalCount - pool.idleCount, { state: "used" });
    result.observe(connections, pool.idleCount, { state: "idle" });
    result.observe(connections, pool.waitingCount, { state: "waited_for" });
    const { working, waiting: queued } = requestCounts();
    result.observe(requests, working, { state: "working" });
    result.observe(requests, queued, { state: "waiting" });
    // A database that does not answer is reported by /api/ready; its figures are missing meanwhile.
    const read = await answerWithin(LIMIT_MS, Promise.all([readings.queue(), readings.engine()]), undefined).catch(
      (error: unknown) => {
        log.debug({ err: error }, "no figures of the queues");
      },
    );
    if (!read) return;
    const [queue, engine] = read;
    result.observe(waiting, queue.waiting, { state: "waiting" });
    result.observe(waiting, queue.processing, { state: "processing" });
    result.observe(oldest, queue.oldestWaitSeconds);
    result.observe(away, engine === "away" ? 1 : 0);
  }

  meter.addBatchObservableCallback(observe, [connections, requests, waiting, oldest, away]);
}
