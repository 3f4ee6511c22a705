import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { Prisma } from "@/lib/db/prisma";
import { ownedContent } from "@/lib/features/content/reads";
import { leasablePieceSql } from "@/lib/features/content/sql/shared";
import { noLiveItemSql } from "@/lib/features/work/sql/shared";
import { acquire, isHeld, type Lease, release, secondsLeftSql, tokenSql } from "@/lib/lease/lease";
import { log } from "@/lib/log";

/** How often a call that writes looks whether it should stop. */
const LOOK_MS = 1_000;

/**
 * Asks the direct AI call at a piece to end and to keep what there is, wherever it runs. False: no such call is at it. A
 * queue's work is cancelled with its job.
 */
export async function stopWriting(actor: Actor, id: string): Promise<{ isStopping: boolean }> {
  await ownedContent(actor, id);
  const isWritten = Prisma.sql`${secondsLeftSql("writing", Prisma.sql`p.id::text`)} > 0`;
  const piece = leasablePieceSql(actor.userId, id, Prisma.sql`${isWritten} AND ${noLiveItemSql(Prisma.sql`p.id`)}`);
  return { isStopping: await acquire("stop", piece, tokenSql("writing", Prisma.sql`o.subject`)) };
}

export type Stop = {
  /** Aborted once the user has asked. */
  signal: AbortSignal;
  end: () => Promise<void>;
};

/** Looks for a user's wish to stop the call that holds this lease. */
export function watchForStop({ subject, token }: Lease): Stop {
  const asked = new AbortController();
  const { signal } = asked;
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    try {
      if (await isHeld({ kind: "stop", subject, token })) asked.abort();
    } catch (error) {
      log.warn({ err: error }, "a call that writes could not look whether it should stop");
    } finally {
      isLooking = false;
    }
  }, LOOK_MS);
  return {
    signal,
    async end() {
      clearInterval(timer);
      await release({ kind: "stop", subject, token });
    },
  };
}
