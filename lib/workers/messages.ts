import { z } from "zod";
import type { TASKS } from "@/lib/workers/tasks";

/** The pure tasks that a worker knows: text in, text out. */
export type TaskName = keyof typeof TASKS;

/** What a worker is sent. */
export type Job = { task: TaskName; text: string };

/** What a worker answers: once that it is ready, then one for each job. */
export const workerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("done"), text: z.string() }),
  /** `tooComplex` carries the sentence for the person, `failed` the words for the log. */
  z.object({ kind: z.literal("tooComplex"), message: z.string() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);
export type WorkerMessage = z.infer<typeof workerMessage>;
