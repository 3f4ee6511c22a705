import type { QueryClient } from "@tanstack/react-query";
import type { ActionType, ChatAction } from "@/lib/features/assistant/schema";

/** One bubble. `retry`: the message that a retry sends, or null for starting the conversation. */
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

/** The conversations of each query client, which are gone with it at sign-out. */
const stores = new WeakMap<QueryClient, Map<number | null, ConversationStore>>();

/** The conversation about this project, or about none (null). */
export function conversationOf(client: QueryClient, projectId: number | null): ConversationStore {
  const ofClient = stores.get(client) ?? new Map<number | null, ConversationStore>();
  stores.set(client, ofClient);
  const store = ofClient.get(projectId) ?? createStore();
  ofClient.set(projectId, store);
  return store;
}

function createStore(): ConversationStore {
  let state = NEW_CONVERSATION;
  const listeners = new Set<() => void>();
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
