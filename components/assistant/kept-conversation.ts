import type { QueryClient } from "@tanstack/react-query";
import {
  bubble,
  type Conversation,
  type ConversationStore,
  createStore,
  type Entry,
  NEW_CONVERSATION,
} from "@/components/assistant/conversation";
import { currentUserId } from "@/lib/client/current-user";
import { joinSignOut } from "@/lib/client/sign-out";
import { forgetTab, readTab, tabKey, writeTab } from "@/lib/client/tab-storage";
import { boundedCache } from "@/lib/utils/bounded";

/** The conversations of each query client, by user and project. */
const stores = new WeakMap<QueryClient, Map<string, ConversationStore>>();

/**
 * The user's conversation about this project, or about none (null). The tab keeps it over a reload, so that it goes on in
 * the same session of the server instead of starting again; a sign-out erases it.
 */
export function conversationOf(client: QueryClient, projectId: number | null): ConversationStore {
  const userId = currentUserId(client) ?? "";
  const name = `${userId} ${projectId}`;
  const ofClient = stores.get(client) ?? createConversations();
  stores.set(client, ofClient);
  const known = ofClient.get(name);
  if (known) return known;
  const store = createKeptStore(client, userId, `chat:${projectId ?? ""}`);
  ofClient.set(name, store);
  if (typeof window !== "undefined")
    joinSignOut({ userId, save: async () => null, close: () => ofClient.delete(name) });
  return store;
}

function createConversations(): Map<string, ConversationStore> {
  const reason = "A user has 1,000 projects at most. The one opened longest ago is then in the tab's storage alone.";
  return boundedCache("conversations", 1_001, reason, (store) => store.read().pending !== null);
}

function createKeptStore(client: QueryClient, userId: string, name: string): ConversationStore {
  const store = createStore((userId && keptConversation(userId, name)) || NEW_CONVERSATION);
  store.subscribe(() => {
    // An answer may arrive after the user has signed out.
    if (userId && currentUserId(client) === userId)
      writeTab(tabKey(userId, name), JSON.stringify(keptOf(store.read())));
  });
  return store;
}

/** A project's conversation in one tab; the oldest messages go first. */
const MAX_BYTES = 200_000;
/** What is around the messages. */
const FRAME_BYTES = 1_000;

const CUT_OFF =
  "This page was reloaded before the answer came. What you asked for may have been done: look before you ask again.";

type Kept = { sessionId: string; entries: Omit<Entry, "key">[]; draft: string; isWaiting: boolean };

function keptOf({ sessionId, entries, draft, pending }: Conversation): Kept | null {
  if (!sessionId) return null;
  const keptDraft = bytesOf(JSON.stringify(draft)) < MAX_BYTES / 2 ? draft : "";
  const room = MAX_BYTES - FRAME_BYTES - bytesOf(JSON.stringify(keptDraft));
  return { sessionId, draft: keptDraft, isWaiting: pending === "send", entries: newestWithin(room, entries) };
}

/** The newest messages that fit. Errors lose their cause, which is no JSON; a start that failed is no message. */
function newestWithin(room: number, entries: Entry[]): Kept["entries"] {
  const kept: Kept["entries"] = [];
  let bytes = 0;
  for (const { key, failure, ...entry } of entries.toReversed()) {
    if (failure?.retry === null) continue;
    const each = { ...entry, ...(failure ? { failure: { error: null, retry: failure.retry } } : {}) };
    bytes += bytesOf(JSON.stringify(each)) + 1;
    if (bytes > room) break;
    kept.unshift(each);
  }
  return kept;
}

/** The conversation that this tab had before its reload; null if it had none. */
function keptConversation(userId: string, name: string): Conversation | null {
  // A session may have ended without a sign-out.
  forgetTab((key) => !key.startsWith(tabKey(userId, "")));
  const kept = keptFrom(readTab(tabKey(userId, name)));
  if (typeof kept?.sessionId !== "string" || !Array.isArray(kept.entries)) return null;
  const { sessionId, entries, draft = "", isWaiting } = kept;
  // It is not sent again by itself: what it asked for would be made twice.
  const end: Kept["entries"] = isWaiting ? [{ role: "assistant", type: "error", content: CUT_OFF }] : [];
  return { sessionId, draft, pending: null, entries: [...entries, ...end].map((entry) => bubble(entry)) };
}

function keptFrom(stored: string | null): Partial<Kept> | null {
  try {
    return JSON.parse(stored ?? "null") as Partial<Kept> | null;
  } catch {
    return null;
  }
}

/** Bytes as UTF-8. */
function bytesOf(text: string): number {
  return new Blob([text]).size;
}
