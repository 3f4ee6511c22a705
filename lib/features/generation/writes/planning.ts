import "server-only";
import { randomUUID } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { topicToHold } from "@/lib/features/topics/writes";
import { acquire, release } from "@/lib/lease/lease";

const BUSY = {
  ideas: "Content ideas for this topic are being created already. Wait until they are there, then ask for more.",
  keywords: "Keywords for this topic are being suggested already. Wait until they are there, then ask for more.",
};

/** Asks for a topic's ideas or keywords once at a time: a second tab would pay for the same again. */
export async function planningOnce<T>(
  actor: Actor,
  topicId: number,
  what: keyof typeof BUSY,
  work: () => Promise<T>,
): Promise<T> {
  const lease = { kind: what, subject: String(topicId), token: randomUUID() } as const;
  if (!(await acquire(what, topicToHold(actor.userId, topicId), lease.token))) {
    throw new AppError("ALREADY_RUNNING", { message: BUSY[what] });
  }
  try {
    return await work();
  } finally {
    await release(lease);
  }
}
