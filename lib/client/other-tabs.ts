import type { Change } from "@/lib/client/changes";
import { randomId } from "@/lib/client/random-id";
import { boundedSet } from "@/lib/utils/bounded";

const CHANNEL = "content-planner";
/** Running calls in localStorage, one key each, so that two tabs never overwrite each other. */
const PREFIX = "content-planner:call:";
/** How often to check on calls whose page may be gone. */
const CHECK_INTERVAL_MS = 10_000;

/** What a running call changes, and its deadline (milliseconds since 1970). */
type RunningCall = { changes: Change[]; until: number };

type Tabs = {
  broadcast: (changes: Change[]) => void;
  /** A long call starts. `end`: it was answered. `abandon`: this page no longer waits for the answer. */
  startCall: (changes: Change[], maxSeconds: number) => { end: () => void; abandon: () => void };
  disconnect: () => void;
};

/**
 * Reports what other tabs of this browser change, and follows calls whose page is gone: the server finishes them and nobody
 * gets the answer, so their changes are reported again until the deadline. Only ids are sent and stored.
 */
export function connectTabs(onChanges: (changes: Change[]) => void): Tabs {
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);
  const own = boundedSet<string>("running calls", 10_000, "More than a page has under way; the next one is refused.");
  let timer: ReturnType<typeof setInterval> | undefined;

  // A tab still open from an older release may send something else.
  if (channel) channel.onmessage = ({ data }: MessageEvent) => (Array.isArray(data) ? onChanges(data) : undefined);
  window.addEventListener("storage", onStorage);
  check();

  /** Another tab has started a call, or ended it. */
  function onStorage({ key, newValue, oldValue }: StorageEvent) {
    if (!key?.startsWith(PREFIX)) return;
    if (newValue === null) onChanges(parse(oldValue)?.changes ?? []);
    else timer ??= setInterval(check, CHECK_INTERVAL_MS);
  }

  function check() {
    const others = runningCalls(storage()).filter(({ key }) => !own.has(key));
    for (const { key, call } of others) {
      onChanges(call?.changes ?? []);
      if (!call || call.until <= Date.now()) storage()?.removeItem(key);
    }
    if (others.length === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(check, CHECK_INTERVAL_MS);
  }

  return {
    broadcast: (changes) => channel?.postMessage(changes),
    startCall(changes, maxSeconds) {
      const key = `${PREFIX}${randomId()}`;
      own.add(key);
      store(key, { changes, until: Date.now() + maxSeconds * 1000 });
      return {
        end() {
          own.delete(key);
          storage()?.removeItem(key);
        },
        abandon() {
          own.delete(key);
          check();
        },
      };
    },
    disconnect() {
      channel?.close();
      window.removeEventListener("storage", onStorage);
      clearInterval(timer);
    },
  };
}

/** Returns undefined where the browser blocks storage. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

function store(key: string, call: RunningCall): void {
  try {
    storage()?.setItem(key, JSON.stringify(call));
  } catch {
    // Storage is full: only the follow-up after a reload is lost.
  }
}

function runningCalls(storage: Storage | undefined): { key: string; call: RunningCall | undefined }[] {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "");
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, call: parse(storage?.getItem(key) ?? null) }));
}

function parse(text: string | null): RunningCall | undefined {
  try {
    const { changes, until } = JSON.parse(text ?? "") as Partial<RunningCall>;
    return Array.isArray(changes) && typeof until === "number" ? { changes, until } : undefined;
  } catch {
    return undefined;
  }
}
