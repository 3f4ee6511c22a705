"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { bubble, type Entry, NEW_CONVERSATION, NOT_STARTED } from "@/components/assistant/conversation";
import { conversationOf } from "@/components/assistant/kept-conversation";
import { ApiError, detailOf, errorText } from "@/lib/client/api";
import { toast, toastError, toasts } from "@/lib/client/toast";
import { sendMessage, startChat } from "@/lib/features/assistant/client";
import type { ChatResponse } from "@/lib/features/assistant/schema";
import { isBlank } from "@/lib/utils/text";

/**
 * The conversation on screen. If the tab has none, it starts by itself when the page is opened or shown again; one that the
 * tab kept goes on where it was.
 */
export function useConversation(projectId: number | null) {
  const client = useQueryClient();
  const actions = useMemo(() => actionsOf(client, projectId), [client, projectId]);
  const { store, start } = actions;
  const conversation = useSyncExternalStore(store.subscribe, store.read, () => NEW_CONVERSATION);
  useEffect(() => {
    const startIfNone = () => {
      if (!document.hidden && !store.read().sessionId) void start();
    };
    // The back button may restore the page from the browser's cache.
    const onShow = ({ persisted }: PageTransitionEvent) => (persisted ? startIfNone() : undefined);
    startIfNone();
    // The API key may have been saved in another window.
    document.addEventListener("visibilitychange", startIfNone);
    window.addEventListener("pageshow", onShow);
    return () => {
      document.removeEventListener("visibilitychange", startIfNone);
      window.removeEventListener("pageshow", onShow);
    };
  }, [store, start]);
  return { ...actions, conversation };
}

/** Calls continue when the user leaves the screen; their answers are there on return. */
function actionsOf(client: QueryClient, projectId: number | null) {
  const store = conversationOf(client, projectId);
  const subject = `chat:${projectId}`;

  async function start(): Promise<void> {
    if (store.read().pending) return;
    store.change(() => ({ pending: "start" }));
    try {
      const { response, sessionId } = await startChat(projectId);
      store.change(({ entries }) => {
        const messages = entries.filter((entry) => !isFailedStart(entry));
        const greeting = bubble({ role: "assistant", type: "chat", content: response });
        // A conversation that is reopened continues without a second greeting.
        return { sessionId, pending: null, entries: messages.length > 0 ? messages : [greeting] };
      });
    } catch (error) {
      // A bubble without a toast, as specified: the page may start a conversation by itself many times.
      store.change(({ entries }) => ({ pending: null, entries: withFailedStart(entries, error) }));
    }
  }

  /** Returns true if the message is being sent. */
  function send(text: string): boolean {
    const { sessionId, pending } = store.read();
    if (isBlank(text) || pending === "send") return false;
    if (!sessionId) {
      toast({ title: "Error", description: "Chat session not started", variant: "destructive", subject });
      return false;
    }
    void post(sessionId, text.trim());
    return true;
  }

  async function post(sessionId: string, message: string): Promise<void> {
    const question = bubble({ role: "user", type: "chat", content: message });
    store.change(({ entries }) => ({ pending: "send", entries: [...entries, question] }));
    toasts.withdraw(subject);
    try {
      const reply = withActions(await sendMessage(sessionId, message), projectId);
      const { type, message: content } = reply;
      const details = reply.type === "action" ? { actionType: reply.actionType, actions: reply.actions } : {};
      const answer = bubble({ role: "assistant", type, content, ...details });
      store.change(({ entries }) => ({ pending: null, entries: [...entries, answer] }));
    } catch (error) {
      const isGone = isSessionGone(error);
      const failed = failure(error, "Failed to send message", message);
      store.change((now) => ({
        pending: null,
        sessionId: isGone ? null : now.sessionId,
        entries: [...now.entries, failed],
      }));
      toastError(error, { fallback: "Failed to send message", subject });
      if (isGone) await start();
    }
  }

  /** Retries the failed call of an error bubble. A message moves to the end, where its answer will be. */
  async function retry({ key, failure }: Entry): Promise<void> {
    if (!failure || store.read().pending) return;
    if (!store.read().sessionId) await start();
    const { sessionId } = store.read();
    if (failure.retry === null || !sessionId) return;
    store.change(({ entries }) => ({ entries: withoutFailed(entries, key) }));
    await post(sessionId, failure.retry);
  }

  /** Replaces this conversation by a new one. */
  async function restart(): Promise<void> {
    if (store.read().pending) return;
    store.change(({ draft }) => ({ ...NEW_CONVERSATION, draft }));
    await start();
  }

  return { store, start, send, retry, restart };
}

function failure(error: unknown, fallback: string, retry: string | null): Entry {
  const content = [errorText(error, fallback), detailOf(error)].filter(Boolean).join(" ");
  return bubble({ role: "assistant", type: "error", content, failure: { error, retry } });
}

function isFailedStart({ failure }: Entry): boolean {
  return failure?.retry === null;
}

/** One bubble for all failed starts. It keeps its key if the failure is the same, so that it is not announced again. */
function withFailedStart(entries: Entry[], error: unknown): Entry[] {
  const failed = failure(error, NOT_STARTED, null);
  const last = entries.at(-1);
  if (last && isFailedStart(last) && last.content === failed.content) failed.key = last.key;
  return [...entries.filter((entry) => !isFailedStart(entry)), failed];
}

/** The documented action reply has no details: it gets one for its type, in the conversation's project. */
function withActions(reply: ChatResponse, projectId: number | null): ChatResponse {
  if (reply.type !== "action" || reply.actions.length > 0) return reply;
  const { actionType: type } = reply;
  const where = projectId === null || type === "project" ? {} : { projectId };
  return { ...reply, actions: [{ tool: "", type, label: "", ok: true, ...where }] };
}

/** Returns the entries without the error bubble and its failed message. */
function withoutFailed(entries: Entry[], key: number): Entry[] {
  const place = entries.findIndex((entry) => entry.key === key);
  const retry = entries[place]?.failure?.retry ?? null;
  const message = retry === null ? -1 : entries.findLastIndex(({ role }, index) => role === "user" && index < place);
  return entries.filter((_entry, index) => index !== place && index !== message);
}

function isSessionGone(error: unknown): boolean {
  return error instanceof ApiError && (error.type === "NOT_FOUND" || error.type === "CHAT_NOT_STARTED");
}
