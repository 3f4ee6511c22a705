"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { conversationOf, type Entry, NEW_CONVERSATION, NOT_STARTED } from "@/components/assistant/conversation";
import { ApiError, errorText } from "@/lib/client/api";
import { toast, toastError, toasts } from "@/lib/client/toast";
import { sendMessage, startChat } from "@/lib/features/assistant/client";
import type { ChatResponse } from "@/lib/features/assistant/schema";
import { isBlank } from "@/lib/utils/text";

/** The conversation on screen. It starts by itself whenever there is none: on opening, and on coming back. */
export function useConversation(projectId: number | null) {
  const client = useQueryClient();
  const verbs = useMemo(() => verbsOf(client, projectId), [client, projectId]);
  const { store, start } = verbs;
  const conversation = useSyncExternalStore(store.subscribe, store.read, () => NEW_CONVERSATION);
  useEffect(() => {
    const startIfNone = () => {
      if (!document.hidden && !store.read().sessionId) void start();
    };
    // The browser's way back may show the page as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => (persisted ? startIfNone() : undefined);
    startIfNone();
    // The key may have been saved in another window.
    document.addEventListener("visibilitychange", startIfNone);
    window.addEventListener("pageshow", onShow);
    return () => {
      document.removeEventListener("visibilitychange", startIfNone);
      window.removeEventListener("pageshow", onShow);
    };
  }, [store, start]);
  return { ...verbs, conversation };
}

/** What a person does in a conversation. The calls run on when the screen is left; their answers are there on return. */
function verbsOf(client: QueryClient, projectId: number | null) {
  const store = conversationOf(client, projectId);
  const subject = `chat:${projectId}`;

  async function start(): Promise<void> {
    if (store.read().pending) return;
    store.change(() => ({ pending: "start" }));
    try {
      const { response, sessionId } = await startChat(projectId);
      store.change(({ entries }) => {
        const said = entries.filter((entry) => !isFailedStart(entry));
        const greeting = bubble({ role: "assistant", type: "chat", content: response });
        // A conversation that had to be opened again goes on without a second greeting.
        return { sessionId, pending: null, entries: said.length > 0 ? said : [greeting] };
      });
    } catch (error) {
      store.change(({ entries }) => ({ pending: null, entries: withFailedStart(entries, error) }));
    }
  }

  /** True when the message is on its way. */
  function send(text: string): boolean {
    const { sessionId, pending } = store.read();
    if (isBlank(text) || pending === "send") return false;
    if (!sessionId) {
      toast({ title: "Error", description: "Chat session not started", variant: "destructive", subject });
      return false;
    }
    void say(sessionId, text.trim());
    return true;
  }

  async function say(sessionId: string, message: string): Promise<void> {
    const mine = bubble({ role: "user", type: "chat", content: message });
    store.change(({ entries }) => ({ pending: "send", entries: [...entries, mine] }));
    toasts.withdraw(subject);
    try {
      const reply = withActions(await sendMessage(sessionId, message), projectId);
      const { type, message: content } = reply;
      const made = reply.type === "action" ? { actionType: reply.actionType, actions: reply.actions } : {};
      const answer = bubble({ role: "assistant", type, content, ...made });
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

  /** Tries again what an error bubble is about; the message moves to the end, where its answer will stand. */
  async function retry({ key, failure }: Entry): Promise<void> {
    if (!failure || store.read().pending) return;
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

function failure(error: unknown, fallback: string, retry: string | null): Entry {
  const content = errorText(error, fallback);
  return bubble({ role: "assistant", type: "error", content, failure: { error, retry } });
}

function isFailedStart({ failure }: Entry): boolean {
  return failure?.retry === null;
}

/** One bubble of it, however often it failed; the same failure stays where it is, so that it is not read out again. */
function withFailedStart(entries: Entry[], error: unknown): Entry[] {
  const failed = failure(error, NOT_STARTED, null);
  const last = entries.at(-1);
  if (last && isFailedStart(last) && last.content === failed.content) failed.key = last.key;
  return [...entries.filter((entry) => !isFailedStart(entry)), failed];
}

/** An action that says no more than its type is one all the same: of the conversation's project. */
function withActions(reply: ChatResponse, projectId: number | null): ChatResponse {
  if (reply.type !== "action" || reply.actions.length > 0) return reply;
  const { actionType: type } = reply;
  const where = projectId === null || type === "project" ? {} : { projectId };
  return { ...reply, actions: [{ tool: "", type, label: "", ok: true, ...where }] };
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
