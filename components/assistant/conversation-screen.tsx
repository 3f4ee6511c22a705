"use client";

import { MessageSquarePlus } from "lucide-react";
import { useEffect, useRef } from "react";
import { Composer } from "@/components/assistant/composer";
import type { Conversation, Entry } from "@/components/assistant/conversation";
import { MessageBubble } from "@/components/assistant/message-bubble";
import { useConversation } from "@/components/assistant/use-conversation";
import { PHONE_QUERY } from "@/components/shared/phone-query";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/** The planning assistant. */
export function ConversationScreen({ projectId }: { projectId: number | null }) {
  const { conversation, store, send, retry, restart } = useConversation(projectId);
  const { sessionId, pending, entries, draft } = conversation;
  const end = useScrollToNewest(entries);
  const field = useRef<HTMLTextAreaElement>(null);
  const isNew = !entries.some(({ role }) => role === "user");

  useSessionDraft(`chat:${projectId ?? ""}`, {
    take: () => unsent(conversation) || null,
    restore(stored) {
      if (typeof stored === "string") store.change(() => ({ draft: stored }));
      return typeof stored === "string";
    },
  });

  function submit() {
    if (send(draft)) store.change(() => ({ draft: "" }));
  }

  function ask(idea: string) {
    if (!send(idea)) return;
    // The idea's button goes. On a phone the keyboard would cover the answer.
    if (!window.matchMedia(PHONE_QUERY).matches) field.current?.focus();
  }

  return (
    <div className="-mb-24 max-md:-mb-30 mx-auto flex min-h-[calc(100dvh-var(--topbar)-2rem)] max-w-[720px] flex-col gap-6">
      <h1 className="sr-only">Content planning assistant</h1>
      <div role="log" aria-label="Conversation" className="flex flex-col gap-6">
        {entries.map((entry) => (
          <MessageBubble key={entry.key} entry={entry} disabled={pending !== null} onRetry={() => retry(entry)} />
        ))}
      </div>
      {pending ? (
        <span className="text-muted-foreground">
          <Spinner
            label={pending === "start" ? "The conversation is starting" : "The assistant is answering"}
            className="size-5"
          />
        </span>
      ) : null}
      {/* In a new conversation, grows to place the ideas above the field. */}
      <div ref={end} className={cn("scroll-mb-28", isNew && "grow")} />
      {isNew && sessionId ? <Ideas projectId={projectId} onChoose={ask} /> : null}
      <Composer
        field={field}
        text={draft}
        ready={sessionId !== null}
        pending={pending !== null}
        onType={(text) => store.change(() => ({ draft: text }))}
        onSend={submit}
      >
        {isNew ? null : (
          <Button variant="ghost" size="sm" disabled={pending !== null} onClick={restart}>
            <MessageSquarePlus aria-hidden="true" />
            New conversation
          </Button>
        )}
      </Composer>
    </div>
  );
}

/** The draft, and a message without an answer: a session that ends rejects it. */
function unsent({ draft, pending, entries }: Conversation): string {
  const last = pending === "send" ? entries.findLast(({ role }) => role === "user")?.content : undefined;
  return [last, draft].filter((text) => !isBlank(text)).join("\n\n");
}

const IDEAS = {
  withProject: [
    "Suggest three topics for this project, with five keywords each.",
    "Describe the buyer persona of this project.",
    "Which questions do our readers ask first?",
  ],
  without: [
    "Create a project for a blog about balcony gardening.",
    "I sell handmade soap. Plan a first month of topics.",
    "List my projects.",
  ],
};

/** Prompts to start with; choosing one sends it, and leaves what was typed. */
function Ideas({ projectId, onChoose }: { projectId: number | null; onChoose: (text: string) => void }) {
  return (
    <ul aria-label="Ideas to begin with" className="grid justify-items-start gap-2">
      {(projectId === null ? IDEAS.without : IDEAS.withProject).map((idea) => (
        <li key={idea}>
          <Button
            variant="outline"
            size="sm"
            className="h-auto min-h-(--control-sm) whitespace-normal py-1 text-left font-normal"
            onClick={() => onChoose(idea)}
          >
            {idea}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Scrolls to new bubbles, but not on mount. */
function useScrollToNewest(entries: Entry[]) {
  const end = useRef<HTMLDivElement>(null);
  const shown = useRef(entries.length);
  useEffect(() => {
    if (entries.length > shown.current) end.current?.scrollIntoView({ block: "nearest" });
    shown.current = entries.length;
  }, [entries]);
  return end;
}
