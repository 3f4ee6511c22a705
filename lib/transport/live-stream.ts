import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { actorFromToken, type RequestContext } from "@/lib/auth/actor";
import { FOLLOW_MS, FOLLOW_PAUSE_MS } from "@/lib/limits/bounds";
import { openStream, whileAway } from "@/lib/limits/place";
import { type EventReader, type EventSink, eventStream } from "@/lib/transport/event-stream";

/** What a stream shows. `listen` resolves with how to stop, or with undefined where nobody tells when something changes. */
type Followed = {
  listen: (listener: { changed: () => void; lost: () => void }) => Promise<(() => void) | undefined>;
  read: () => Promise<unknown>;
};

type Reader = { userId: string; context: RequestContext; sessionToken: string | undefined };

/**
 * A response that sends what `read` returns as `changes`: at once, and again when something has changed. A change is not read
 * before the client has read the one before. The stream ends with the session, with the process, when nobody tells of changes
 * any more, for a newer stream of the user's, and after four minutes; then the client comes back. Undefined: nobody tells.
 */
export async function liveStream(
  followed: Followed,
  { userId, context, sessionToken }: Reader,
): Promise<Response | undefined> {
  const change = createChange();
  const held: (() => void)[] = [];
  // What another stream of the user's makes way for is free at once, whatever this one waits for.
  const end = () => {
    change.end();
    for (const release of held.splice(0)) release();
  };
  const hold = (release: () => void) => (change.isOver() ? release() : void held.push(release));
  try {
    hold(openStream(userId, end));
    const stop = await whileAway(() => followed.listen({ changed: change.note, lost: end }));
    if (!stop) {
      end();
      return undefined;
    }
    hold(stop);
    const first = await followed.read();
    const timer = setTimeout(end, FOLLOW_MS).unref();
    hold(() => clearTimeout(timer));
    const read = async () => ((await actorFromToken(sessionToken, context)) ? followed.read() : undefined);
    return eventStream((send, reader) => {
      send("changes", first);
      reader.gone.addEventListener("abort", end);
      return sendChanges(read, { change, send, reader }).finally(end);
    }, context.requestId);
  } catch (error) {
    end();
    throw error;
  }
}

type Change = ReturnType<typeof createChange>;

/** Whether there was a change since the last look, and whether more may come. */
function createChange() {
  let isNoted = false;
  let isOver = false;
  let wake = () => {};
  return {
    note: () => {
      isNoted = true;
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
    isOver: () => isOver,
    take: () => {
      isNoted = false;
    },
    /** Resolves when there is one, or none will come. */
    next: async () => {
      if (!isNoted && !isOver) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

/** `read` resolves with undefined when the session has ended. */
async function sendChanges(
  read: () => Promise<unknown>,
  { change, send, reader }: { change: Change; send: EventSink; reader: EventReader },
): Promise<void> {
  for (;;) {
    await pause(FOLLOW_PAUSE_MS);
    await change.next();
    if (change.isOver()) return;
    if (!reader.hasRead()) continue;
    change.take();
    const changes = await read();
    if (changes === undefined) return;
    send("changes", changes);
  }
}
