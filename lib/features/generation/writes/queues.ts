import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/settings/reads";
import { countPieces, countUnwritten } from "@/lib/features/content/reads";
import { ownedTopic } from "@/lib/features/topics/reads";
import { JOB_FIELDS } from "@/lib/features/work/rules";
import type { JobType, Queued } from "@/lib/features/work/schema";
import { startJob } from "@/lib/features/work/writes/jobs";

/** Queues outlines for the topic's pieces that have none. */
export function queueOutlines(actor: Actor, topicId: number): Promise<Queued> {
  return queueTopic(actor, topicId, "outline_generation");
}

/** Queues texts for the topic's pieces that have an outline and no body. */
export function queueContent(actor: Actor, topicId: number): Promise<Queued> {
  return queueTopic(actor, topicId, "content_generation");
}

async function queueTopic(actor: Actor, topicId: number, jobType: JobType): Promise<Queued> {
  await ownedTopic(actor, topicId);
  if ((await countUnwritten(actor, topicId, JOB_FIELDS[jobType])) === 0) {
    throw new AppError("NOTHING_TO_DO", { message: await whyNothing(actor, topicId, jobType) });
  }
  await openaiKeyOf(actor);
  return startJob(actor, topicId, jobType);
}

async function whyNothing(actor: Actor, topicId: number, jobType: JobType): Promise<string> {
  const { all, unwritten } = await countPieces(actor, topicId);
  if (all === 0) return "This topic has no content pieces yet. Create content ideas first.";
  if (jobType === "outline_generation")
    return "Every piece in this topic has an outline already. Create content ideas to add more.";
  return unwritten === 0
    ? "Every piece in this topic has a text already. Create content ideas to add more."
    : "No piece in this topic that needs a text has an outline yet. Generate outlines first.";
}
