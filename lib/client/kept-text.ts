/**
 * Unsaved text when a session ends: what is on the screen is put into this browser's storage, and is taken out again by its
 * field once the same person has signed in. Never passwords or keys: a field says itself what may be kept.
 */

/** What a field keeps: anything JSON can say. `label` names the dialog it is in, which has to be opened to see it again. */
type Kept = { value: unknown; label?: string };
type Entry = { at: number; path: string; texts: Record<string, Kept> };
type Holder = { userId: string; label?: string; take: () => unknown };

/** What a field answers that has a secret among its changes. */
export const NOT_TO_KEEP = Symbol("not to be kept");

const holders = new Map<string, Holder>();

/** `take` answers the field's unsaved text, or null without any. `name` is the field's own in the whole app. */
export function holdText(name: string, holder: Holder): () => void {
  holders.set(name, holder);
  return () => {
    if (holders.get(name) === holder) holders.delete(name);
  };
}

const PREFIX = "kept-text:";
const DAY_MS = 86_400_000;
export const KEPT_DAYS = 7;
/** A body and an outline of the longest, as JSON writes them, and some more. Browsers give five million to a site. */
const MAX_CHARACTERS = 1_500_000;
/** One for each tab that was open; the oldest goes first. */
const MAX_ENTRIES = 20;

/** Keeps all unsaved text of this person. "failed": there is some that must not be kept, or the browser has no room. */
export function keepTexts(userId: string): "nothing" | "kept" | "failed" {
  const texts: Record<string, Kept> = {};
  for (const [name, holder] of holders) {
    const value = holder.userId === userId ? (holder.take() ?? null) : null;
    if (value === NOT_TO_KEEP) return "failed";
    if (value !== null) texts[name] = { value, ...(holder.label ? { label: holder.label } : {}) };
  }
  if (Object.keys(texts).length === 0) return "nothing";
  try {
    const key = keyOf(userId);
    const { pathname: path } = window.location;
    const entry: Entry = { at: Date.now(), path, texts: { ...readEntry(key)?.texts, ...texts } };
    const written = JSON.stringify(entry);
    if (written.length > MAX_CHARACTERS) return "failed";
    localStorage.setItem(key, written);
    removeOld();
    return "kept";
  } catch {
    // Full, or closed to us.
    return "failed";
  }
}

/** Takes a field's text out of the storage: this tab's own, else the newest. Undefined without any. */
export function takeText(userId: string, name: string): unknown {
  const found = entriesOf(userId).find(({ entry }) => name in entry.texts);
  if (!found) return undefined;
  const { [name]: kept, ...left } = found.entry.texts;
  writeEntry(found.key, { ...found.entry, texts: left });
  return kept?.value;
}

/** The dialogs of this page that have a text waiting. */
export function labelsAt(userId: string, path: string): string[] {
  const labels = entriesOf(userId)
    .filter(({ entry }) => entry.path === path)
    .flatMap(({ entry }) => Object.values(entry.texts).flatMap(({ label }) => label ?? []));
  return [...new Set(labels)];
}

function entriesOf(userId: string): { key: string; entry: Entry }[] {
  try {
    removeOld();
    const own = keyOf(userId);
    return keptKeys()
      .filter((key) => key.startsWith(`${PREFIX}${userId}:`))
      .flatMap((key) => {
        const entry = readEntry(key);
        return entry ? [{ key, entry }] : [];
      })
      .sort((a, b) => Number(b.key === own) - Number(a.key === own) || b.entry.at - a.entry.at);
  } catch {
    return [];
  }
}

/** What is past its days, what is too many, and what is none of ours. */
function removeOld(): void {
  const oldest = Date.now() - KEPT_DAYS * DAY_MS;
  const kept = keptKeys().map((key) => ({ key, at: readEntry(key)?.at ?? 0 }));
  kept.sort((a, b) => b.at - a.at);
  for (const [place, { key, at }] of kept.entries()) {
    if (at < oldest || place >= MAX_ENTRIES) localStorage.removeItem(key);
  }
}

function keptKeys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}

function readEntry(key: string): Entry | null {
  try {
    const entry = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Entry> | null;
    return typeof entry?.at === "number" && entry.texts && typeof entry.texts === "object" ? (entry as Entry) : null;
  } catch {
    return null;
  }
}

function writeEntry(key: string, entry: Entry): void {
  if (Object.keys(entry.texts).length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(entry));
}

const TAB = "tab-id";

/** Two tabs may hold two texts of one field: each has its own. */
function keyOf(userId: string): string {
  const tab = sessionStorage.getItem(TAB) ?? Math.random().toString(36).slice(2);
  sessionStorage.setItem(TAB, tab);
  return `${PREFIX}${userId}:${tab}`;
}
