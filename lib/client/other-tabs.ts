import type { Changed } from "@/lib/client/changes";

const CHANNEL = "content-planner";
/** Calls under way, one key each, so that two tabs never write over each other. */
const PREFIX = "content-planner:call:";
/** How often screens look at what a call has done whose page may be gone. */
const LOOK_EVERY_MS = 10_000;

/** A call in flight: what it changes, and its deadline (milliseconds since 1970). */
type Work = { changes: Changed[]; until: number };

export type OtherTabs = {
  /** Tells the other tabs what changed. */
  tell: (changes: Changed[]) => void;
  /** A long call begins. `end`: it has answered. `leave`: this page no longer waits for its answer. */
  begin: (changes: Changed[], seconds: number) => { end: () => void; leave: () => void };
  stop: () => void;
};

/**
 * Reports what other tabs of this browser have changed, and follows calls whose page is gone: the server finishes them, but
 * nobody hears the answer, so screens look again until the deadline. Only ids are sent and stored.
 */
export function followOtherTabs(onChanged: (changes: Changed[]) => void): OtherTabs {
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);
  const own = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;

  // A tab still open from an older release may send something else.
  if (channel) channel.onmessage = ({ data }: MessageEvent) => (Array.isArray(data) ? onChanged(data) : undefined);
  window.addEventListener("storage", hear);
  look();

  /** Another tab has begun something, or ended it. */
  function hear({ key, newValue, oldValue }: StorageEvent) {
    if (!key?.startsWith(PREFIX)) return;
    if (newValue === null) onChanged(parse(oldValue)?.changes ?? []);
    else timer ??= setInterval(look, LOOK_EVERY_MS);
  }

  function look() {
    const others = worksIn(storage()).filter(({ key }) => !own.has(key));
    for (const { key, work } of others) {
      onChanged(work?.changes ?? []);
      if (!work || work.until <= Date.now()) storage()?.removeItem(key);
    }
    if (others.length === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(look, LOOK_EVERY_MS);
  }

  return {
    tell: (changes) => channel?.postMessage(changes),
    begin(changes, seconds) {
      // Not crypto.randomUUID: on plain http a browser has none.
      const key = `${PREFIX}${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
      own.add(key);
      keep(key, { changes, until: Date.now() + seconds * 1000 });
      return {
        end() {
          own.delete(key);
          storage()?.removeItem(key);
        },
        leave() {
          own.delete(key);
          look();
        },
      };
    },
    stop() {
      channel?.close();
      window.removeEventListener("storage", hear);
      clearInterval(timer);
    },
  };
}

/** Undefined where the browser blocks storage. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

function keep(key: string, work: Work): void {
  try {
    storage()?.setItem(key, JSON.stringify(work));
  } catch {
    // Storage is full: only the follow-up after a reload is lost.
  }
}

function worksIn(storage: Storage | undefined): { key: string; work: Work | undefined }[] {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? "");
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, work: parse(storage?.getItem(key) ?? null) }));
}

function parse(text: string | null): Work | undefined {
  try {
    const { changes, until } = JSON.parse(text ?? "") as Partial<Work>;
    return Array.isArray(changes) && typeof until === "number" ? { changes, until } : undefined;
  } catch {
    return undefined;
  }
}
