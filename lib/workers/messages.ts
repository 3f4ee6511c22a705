import { z } from "zod";
import type { TASKS } from "@/lib/workers/tasks";

export type TaskName = keyof typeof TASKS;

/** A post's text has the title that it stands under. */
export type Job = { task: TaskName; text: string; title?: string | undefined };

/** `ready` once, then one message per job. */
export const workerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("done"), text: z.string() }),
  /** `tooComplex` carries a message for the user, `failed` one for the log. */
  z.object({ kind: z.literal("tooComplex"), message: z.string() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);
export type WorkerMessage = z.infer<typeof workerMessage>;
