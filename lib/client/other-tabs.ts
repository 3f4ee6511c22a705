import type { Changed } from "@/lib/client/changes";

const CHANNEL = "content-planner";
/** Calls under way, one key each, so that two tabs never write over each other. */
const PREFIX = "content-planner:call:";
/** How often the screens look at what a call has done whose page may be gone. */
const LOOK_EVERY_MS = 10_000;

/** A call under way: what it will have changed, and when it must have ended (milliseconds since 1970). */
type Work = { changes: Changed[]; until: number };

export type OtherTabs = {
  /** Tells the other tabs what changed. */
  tell: (changes: Changed[]) => void;
  /** A long call begins; answers how to say that it has ended, or that nobody here waits for its answer any longer. */
  begin: (changes: Changed[], seconds: number) => { end: () => void; leave: () => void };
  stop: () => void;
};

/**
 * What this browser's other tabs have changed, and what a page has begun that is gone by now: the server goes on with it and
 * nobody hears its answer, so the screens look at its progress until it must have ended. Only ids are told and kept.
 */
export function followOtherTabs(onChanged: (changes: Changed[]) => void): OtherTabs {
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);
  const own = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;

  // A tab that has been open since before a release may say something else.
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

/** Undefined where the browser gives pages no place to keep anything. */
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
    // Full: what is lost is only that a reload in the middle of it notices its end by itself.
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
