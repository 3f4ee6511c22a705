import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { announceChange } from "@/lib/db/announce";
import { prisma } from "@/lib/db/prisma";
import { isAppError } from "@/lib/errors";
import { contentItemQueued, jobQueued, nextItemQueued, outlineItemQueued } from "@/lib/events/catalogue";
import { engineAwaySince } from "@/lib/events/presence";
import { type Sent, sendEvents } from "@/lib/events/send";
import { aiAccessFingerprint, openaiKeyOf } from "@/lib/features/account/settings/reads";
import type { JobType } from "@/lib/features/work/schema";
import { cancelOrphans } from "@/lib/features/work/sql/jobs";
import { markLost, markUnsent, type SentItem, takeItem, takeProbes, takeUnsent } from "@/lib/features/work/sql/sending";
import { pause, release, resume, selectHeld } from "@/lib/features/work/sql/waits";
import { log } from "@/lib/log";

/** Events per request to the engine. */
const CHUNK = 500;
const MAX_PROBES = 500;
const MAX_HELD_USERS = 500;

/** Has the engine send the items of jobs. Undefined: it is away, and the items are sent when it is back. */
export async function announceJobs(userId: string, jobIds: string[]): Promise<Sent | undefined> {
  try {
    return await sendEvents(jobIds.map((jobId) => jobQueued.create({ jobId, userId })));
  } catch (error) {
    log.warn({ err: error, jobIds }, "jobs not announced; the sweep will send their items");
    return undefined;
  }
}

/** Sends what no run comes for, oldest first: of a job, of a user or of all. Returns how many. */
export async function sendUnsent(
  of: { jobId?: string; userId?: string | null } = {},
  graceSeconds = 0,
): Promise<number> {
  let sent = 0;
  for (;;) {
    const items = await takeUnsent(of, graceSeconds, CHUNK);
    await sendItems(items);
    sent += items.length;
    if (items.length < CHUNK) return sent;
  }
}

async function sendItems(items: SentItem[], type?: ItemEvent): Promise<void> {
  if (items.length === 0) return;
  try {
    await sendEvents(items.map((item) => itemEvent(item, type)));
  } catch (error) {
    await markUnsent(items);
    throw error;
  }
}

type ItemEvent = typeof outlineItemQueued | typeof contentItemQueued | typeof nextItemQueued;

const QUEUED = { outline_generation: outlineItemQueued, content_generation: contentItemQueued };

/** Inngest forgets an event's id after a day; until then it drops a second event of the same id. */
function itemEvent({ itemId, jobType, jobId, userId, sends }: SentItem, type: ItemEvent = QUEUED[jobType]) {
  const data = { itemId, jobType, jobId, userId, dispatch: `${itemId}-${sends}` };
  return { ...type.create(data), id: `item-${itemId}-${sends}` };
}

/** Sends a waiting item past its queue, to a function of its own. False: it is not waiting, or may not start. */
export async function sendNext(itemId: string): Promise<boolean> {
  const items = await takeItem(itemId);
  await sendItems(items, nextItemQueued);
  return items.length > 0;
}

/** See takeProbes; returns how many were sent. */
export async function sendProbes(
  userId: string | null,
  options: { quietSeconds: number; hasForgotten?: boolean },
): Promise<number> {
  const probes = await takeProbes(userId, options, MAX_PROBES);
  await sendItems(probes);
  return probes.length;
}

/** A probe sent at this time was claimed: sends again what was sent before it and lost. */
export async function sendLost(userId: string, jobType: JobType, probedAt: string): Promise<void> {
  await quietly(async () => {
    if ((await markLost(userId, jobType, probedAt)) > 0) await sendUnsent({ userId });
  });
}

/** Ends a hold and sends what it held; one item at a time tries until one succeeds. Returns how many. */
export async function releaseHeld(userId: string): Promise<number> {
  if (!(await release(userId))) return 0;
  announceChange(userId);
  return (await quietly(() => sendUnsent({ userId }))) ?? 0;
}

/** What the engine does not take now is sent when it is back, or by the sweep. */
async function quietly<T>(send: () => Promise<T>): Promise<T | undefined> {
  return send().catch((error: unknown) => {
    log.warn({ err: error }, "waiting items are left to the sweep");
    return undefined;
  });
}

/** The engine is back or a process starts: sends what waits. An engine that has forgotten the app may have lost everything. */
export async function resumeAfterOutage({ hasForgotten = false } = {}): Promise<void> {
  // First, so that no probe is an item that was sent just now.
  if (hasForgotten) await sendProbes(null, { quietSeconds: 0, hasForgotten });
  await sendUnsent();
}

/** Pauses the user's queues: nothing starts until they are resumed, and calls under way finish. */
export async function pauseProcessing({ userId }: Actor): Promise<{ pausedAt: Date }> {
  const pausedAt = await pause(userId);
  announceChange(userId);
  return { pausedAt };
}

/** This is shorter than the sweep's: a user is waiting. */
const RESUME_QUIET_SECONDS = 5;

/** Ends a pause, and sends the user's items that were held, lost or never sent. Throws MISSING_API_KEY when some wait and there is no key. */
export async function resumeProcessing(actor: Actor): Promise<{ message: string; resumed: number }> {
  const { userId } = actor;
  const waiting = await prisma.queueItem.findFirst({
    where: { userId, completedAt: null, jobType: { not: "publishing" } },
    select: { id: true },
  });
  if (waiting) await requireKey(actor);
  await cancelOrphans(userId);
  await release(userId);
  await resume(userId);
  announceChange(userId);
  const resumed = await sendUnsent({ userId })
    .then(async (sent) => sent + (await sendProbes(userId, { quietSeconds: RESUME_QUIET_SECONDS })))
    .catch(async (error: unknown) => {
      if (!(await engineAwaySince())) throw error;
      return 0;
    });
  if (waiting && (await engineAwaySince())) return { message: AWAY, resumed };
  const message = resumed === 0 ? "Nothing was pending." : `${resumed} item${resumed === 1 ? "" : "s"} sent again.`;
  return { message, resumed };
}

const AWAY = "The job engine is away. Pending items continue when it is back.";

/** Only a missing key matters here; a full account fails each item with its own message. */
async function requireKey(actor: Actor): Promise<void> {
  await openaiKeyOf(actor).catch((error: unknown) => {
    if (isAppError(error, "MISSING_API_KEY")) throw error;
  });
}

/** Releases items held for a key or a model that was changed while the engine was away. */
export async function releaseForChangedKeys(): Promise<void> {
  for (const { userId, key } of await selectHeld(MAX_HELD_USERS)) {
    if ((await aiAccessFingerprint(userId)) !== key) await releaseHeld(userId);
  }
}
