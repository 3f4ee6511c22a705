import "server-only";
import { randomUUID } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { leasableTopicSql } from "@/lib/features/topics/sql/shared";
import { acquire, release, renew, whileRenewing } from "@/lib/lease/lease";

const BUSY = {
  ideas: "Content ideas for this topic are being created already. Wait until they are done, then ask for more.",
  keywords: "Keywords for this topic are being suggested already. Wait until they are done, then ask for more.",
};

/** Requests a topic's ideas or keywords one call at a time, so that a second tab does not pay twice. */
export async function withPlanningLease<T>(
  actor: Actor,
  topicId: number,
  what: keyof typeof BUSY,
  work: () => Promise<T>,
): Promise<T> {
  const lease = { kind: what, subject: String(topicId), token: randomUUID() } as const;
  if (!(await acquire(what, leasableTopicSql(actor.userId, topicId), lease.token))) {
    throw new AppError("ALREADY_RUNNING", { message: BUSY[what] });
  }
  try {
    return await whileRenewing(() => renew(lease), work);
  } finally {
    await release(lease);
  }
}
