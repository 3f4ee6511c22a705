import type { ActionType, ChatAction } from "@/lib/features/assistant/schema";
import { listenerSet } from "@/lib/utils/bounded";

/**
 * One bubble. `retry`: the message that a retry sends, or null for starting the conversation. An error without `failure`
 * cannot be retried.
 */
export type Entry = {
  key: number;
  role: "assistant" | "user";
  type: "chat" | "action" | "error";
  content: string;
  actionType?: ActionType;
  actions?: ChatAction[];
  failure?: { error: unknown; retry: string | null };
};

export type Conversation = {
  sessionId: string | null;
  /** The call in progress. */
  pending: "start" | "send" | null;
  entries: Entry[];
  /** Text that was typed but not sent. */
  draft: string;
};

/** A conversation outlives its screen, so that users find it unchanged when they come back. */
export type ConversationStore = {
  read: () => Conversation;
  change: (update: (now: Conversation) => Partial<Conversation>) => void;
  subscribe: (changed: () => void) => () => void;
};

/** Shown for errors without a message from the server. */
export const NOT_STARTED = "Failed to start chat session";

export const NEW_CONVERSATION: Conversation = { sessionId: null, pending: null, entries: [], draft: "" };

export function createStore(initial: Conversation): ConversationStore {
  let state = initial;
  const listeners = listenerSet<() => void>("listeners to a conversation");
  return {
    read: () => state,
    change(update) {
      state = { ...state, ...update(state) };
      for (const listener of listeners) listener();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

let lastKey = 0;

export function bubble(entry: Omit<Entry, "key">): Entry {
  lastKey += 1;
  return { key: lastKey, ...entry };
}
