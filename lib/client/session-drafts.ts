import { randomId } from "@/lib/client/random-id";
import { bounded } from "@/lib/utils/bounded";

/**
 * Unsaved text when a session ends: saved in this browser's storage and taken out by its field once the same user has
 * signed in. Passwords and keys are never stored: each field says what may be.
 */

/** Any JSON value. `label` names the dialog the field is in, which has to be opened to see the text again. */
type Draft = { value: unknown; label?: string };
type Entry = { at: number; path: string; texts: Record<string, Draft> };
type Field = { userId: string; label?: string; take: () => unknown };

/** What `take` returns when a secret is among the changes. */
export const NOT_STORABLE = Symbol("not storable");

const fields = bounded<string, Field>("fields with drafts", 10_000, "Each is on the page, and must not lose its text.");

/** `take` returns the field's unsaved text, or null if there is none. `name` is unique in the whole app. */
export function registerDraft(name: string, field: Field): () => void {
  fields.set(name, field);
  return () => {
    if (fields.get(name) === field) fields.delete(name);
  };
}

const PREFIX = "kept-text:";
const DAY_MS = 86_400_000;
export const DRAFT_DAYS = 7;
/** The longest body and outline as JSON, and some more. Browsers give a site five million. */
const MAX_CHARACTERS = 1_500_000;
/** One entry per tab; the oldest goes first. */
const MAX_ENTRIES = 20;

/** Saves all unsaved text of this user. "failed": some of it must not be stored, or the browser has no room. */
export function saveDrafts(userId: string): "none" | "saved" | "failed" {
  const texts: Record<string, Draft> = {};
  for (const [name, field] of fields) {
    const value = field.userId === userId ? (field.take() ?? null) : null;
    if (value === NOT_STORABLE) return "failed";
    if (value !== null) texts[name] = { value, ...(field.label ? { label: field.label } : {}) };
  }
  if (Object.keys(texts).length === 0) return "none";
  try {
    const key = entryKey(userId);
    const { pathname: path } = window.location;
    const entry: Entry = { at: Date.now(), path, texts: { ...readEntry(key)?.texts, ...texts } };
    const json = JSON.stringify(entry);
    if (json.length > MAX_CHARACTERS) return "failed";
    localStorage.setItem(key, json);
    removeOld();
    return "saved";
  } catch {
    // Storage is full or blocked.
    return "failed";
  }
}

/** Takes a field's text out of storage: this tab's own, else the newest. Returns undefined if there is none. */
export function takeDraft(userId: string, name: string): unknown {
  const found = entriesOf(userId).find(({ entry }) => name in entry.texts);
  if (!found) return undefined;
  const { [name]: draft, ...rest } = found.entry.texts;
  writeEntry(found.key, { ...found.entry, texts: rest });
  return draft?.value;
}

/** The dialogs of this page that have a stored text. */
export function draftLabelsAt(userId: string, path: string): string[] {
  const labels = entriesOf(userId)
    .filter(({ entry }) => entry.path === path)
    .flatMap(({ entry }) => Object.values(entry.texts).flatMap(({ label }) => label ?? []));
  return [...new Set(labels)];
}

function entriesOf(userId: string): { key: string; entry: Entry }[] {
  try {
    removeOld();
    const own = entryKey(userId);
    return entryKeys()
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

/** Removes entries that are expired, too many or unreadable. */
function removeOld(): void {
  const oldest = Date.now() - DRAFT_DAYS * DAY_MS;
  const entries = entryKeys().map((key) => ({ key, at: readEntry(key)?.at ?? 0 }));
  entries.sort((a, b) => b.at - a.at);
  for (const [index, { key, at }] of entries.entries()) {
    if (at < oldest || index >= MAX_ENTRIES) localStorage.removeItem(key);
  }
}

function entryKeys(): string[] {
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

/** One per tab: two tabs may hold different texts of the same field. */
function entryKey(userId: string): string {
  const tab = sessionStorage.getItem(TAB) ?? randomId();
  sessionStorage.setItem(TAB, tab);
  return `${PREFIX}${userId}:${tab}`;
}
