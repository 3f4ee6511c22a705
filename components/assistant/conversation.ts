import type { QueryClient } from "@tanstack/react-query";
import type { ActionType, ChatAction } from "@/lib/features/assistant/schema";

/** One bubble. `retry` stands on errors: what trying again sends, or null for the start of the conversation. */
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
  /** The call that runs. */
  pending: "start" | "send" | null;
  entries: Entry[];
  /** What is typed and not sent. */
  draft: string;
};

/** A conversation that outlives its screen: whoever opens what was made and comes back finds it as it was. */
export type ConversationStore = {
  read: () => Conversation;
  change: (update: (now: Conversation) => Partial<Conversation>) => void;
  subscribe: (changed: () => void) => () => void;
};

/** What the server's sentence stands for where there is none. */
export const NOT_STARTED = "Failed to start chat session";

export const NEW_CONVERSATION: Conversation = { sessionId: null, pending: null, entries: [], draft: "" };

/** Kept in memory beside the person's other data, and gone with it: at sign-out the page is loaded anew. */
const stores = new WeakMap<QueryClient, Map<number | null, ConversationStore>>();

/** The conversation about this project, or about none. */
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
