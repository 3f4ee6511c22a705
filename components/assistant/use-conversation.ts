"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { type Conversation, conversationOf, type Entry, NEW_CONVERSATION } from "@/components/assistant/conversation";
import { ApiError, errorText } from "@/lib/client/api";
import { toast } from "@/lib/client/toast";
import { refreshAfterReply, sendMessage, startChat } from "@/lib/features/assistant/client";
import { isBlank } from "@/lib/utils/text";

/** The conversation on screen. It starts by itself when there is none yet. */
export function useConversation(projectId: number | null) {
  const client = useQueryClient();
  const verbs = useMemo(() => verbsOf(client, projectId), [client, projectId]);
  const { store, start } = verbs;
  const conversation = useSyncExternalStore(store.subscribe, store.read, () => NEW_CONVERSATION);
  useEffect(() => {
    const { sessionId, pending, entries } = store.read();
    if (!sessionId && !pending && entries.length === 0) void start();
  }, [store, start]);
  return { ...verbs, conversation };
}

/** What a person does in a conversation. The calls run on when the screen is left; their answers are there on return. */
function verbsOf(client: QueryClient, projectId: number | null) {
  const store = conversationOf(client, projectId);

  async function start(): Promise<void> {
    store.change(() => ({ pending: "start" }));
    try {
      const { response, sessionId } = await startChat(projectId);
      store.change(({ entries }) => ({
        sessionId,
        pending: null,
        // A conversation that had to be opened again goes on without a second greeting.
        entries: entries.length > 0 ? entries : [bubble({ role: "assistant", type: "chat", content: response })],
      }));
    } catch (error) {
      store.change((now) => ({ pending: null, ...withFailure(now, error, "Failed to start chat session", null) }));
    }
  }

  /** True when the message is on its way. */
  function send(text: string): boolean {
    const { sessionId, pending } = store.read();
    if (isBlank(text) || pending === "send") return false;
    if (!sessionId) {
      toast({ title: "Error", description: "Chat session not started", variant: "destructive" });
      return false;
    }
    void say(sessionId, text.trim());
    return true;
  }

  async function say(sessionId: string, message: string): Promise<void> {
    const mine = bubble({ role: "user", type: "chat", content: message });
    store.change(({ entries }) => ({ pending: "send", entries: [...entries, mine] }));
    try {
      const reply = await sendMessage(sessionId, message);
      const { type, message: content } = reply;
      const made = reply.type === "action" ? { actionType: reply.actionType, actions: reply.actions } : {};
      const answer = bubble({ role: "assistant", type, content, ...made });
      store.change(({ entries }) => ({ pending: null, entries: [...entries, answer] }));
      await refreshAfterReply(client, projectId, reply);
    } catch (error) {
      store.change((now) => ({ pending: null, ...withFailure(now, error, "Failed to send message", message) }));
    }
  }

  /** Tries again what an error bubble is about; the message moves to the end, where its answer will stand. */
  async function retry({ key, failure }: Entry): Promise<void> {
    if (!failure || store.read().pending) return;
    if (failure.retry === null) store.change(({ entries }) => ({ entries: withoutFailed(entries, key) }));
    if (!store.read().sessionId) await start();
    const { sessionId } = store.read();
    if (failure.retry === null || !sessionId) return;
    store.change(({ entries }) => ({ entries: withoutFailed(entries, key) }));
    await say(sessionId, failure.retry);
  }

  /** Leaves this conversation for a new one. */
  async function startAnew(): Promise<void> {
    if (store.read().pending) return;
    store.change(({ draft }) => ({ ...NEW_CONVERSATION, draft }));
    await start();
  }

  return { store, start, send, retry, startAnew };
}

let lastKey = 0;

function bubble(entry: Omit<Entry, "key">): Entry {
  lastKey += 1;
  return { key: lastKey, ...entry };
}

/** The error bubble, and a session that is no longer there is forgotten. */
function withFailure({ entries, sessionId }: Conversation, error: unknown, fallback: string, retry: string | null) {
  const failed = bubble({
    role: "assistant",
    type: "error",
    content: errorText(error, fallback),
    failure: { error, retry },
  });
  return { entries: [...entries, failed], sessionId: isSessionGone(error) ? null : sessionId };
}

/** Without the error bubble and the message above it that failed. */
function withoutFailed(entries: Entry[], key: number): Entry[] {
  const place = entries.findIndex((entry) => entry.key === key);
  const retry = entries[place]?.failure?.retry ?? null;
  const said = retry === null ? -1 : entries.findLastIndex(({ role }, index) => role === "user" && index < place);
  return entries.filter((_entry, index) => index !== place && index !== said);
}

function isSessionGone(error: unknown): boolean {
  return error instanceof ApiError && (error.type === "NOT_FOUND" || error.type === "CHAT_NOT_STARTED");
}
