import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/reads";
import type { JobType, Queued } from "@/lib/features/jobs/schema";
import { countTodo, startJob } from "@/lib/features/jobs/writes";
import { ownedTopic } from "@/lib/features/topics/reads";

/** Queues the outlines of a topic's pieces that have none. */
export function queueOutlines(actor: Actor, topicId: number): Promise<Queued> {
  return queueTopic(actor, topicId, "outline_generation");
}

/** Queues the writing of a topic's pieces that have an outline and no body. */
export function queueContent(actor: Actor, topicId: number): Promise<Queued> {
  return queueTopic(actor, topicId, "content_generation");
}

const NOTHING: Record<JobType, string> = {
  outline_generation: "Every piece in this topic has an outline already. Create content ideas to add more.",
  content_generation: "No piece in this topic has an outline and no text yet. Generate outlines first.",
};

async function queueTopic(actor: Actor, topicId: number, jobType: JobType): Promise<Queued> {
  await ownedTopic(actor, topicId);
  if ((await countTodo(actor.userId, topicId, jobType)) === 0) {
    throw new AppError("NOTHING_TO_DO", { message: NOTHING[jobType] });
  }
  await openaiKeyOf(actor);
  return startJob(actor, topicId, jobType);
}
