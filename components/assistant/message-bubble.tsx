"use client";

import { RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { ActionCard } from "@/components/assistant/action-card";
import { type Entry, NOT_STARTED } from "@/components/assistant/conversation";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { ApiError, referenceOf } from "@/lib/client/api";

/** Loaded when needed: most answers have no Markdown. */
const Markdown = dynamic(() => import("@/components/shared/markdown").then((module) => module.Markdown), {
  ssr: false,
});

/** A message of the user, an answer with what it created, or an error. */
export function MessageBubble({
  entry,
  disabled,
  onRetry,
}: {
  entry: Entry;
  /** True while another call is in progress. */
  disabled: boolean;
  onRetry: () => void;
}) {
  if (entry.type === "error") return <ErrorBubble entry={entry} disabled={disabled} onRetry={onRetry} />;
  if (entry.role === "user") {
    return (
      <p
        dir="auto"
        className="max-w-[80%] self-end whitespace-pre-wrap rounded-md bg-muted px-4 py-2.5 [overflow-wrap:anywhere] max-md:max-w-[88%]"
      >
        <span className="sr-only">You: </span>
        {entry.content}
      </p>
    );
  }
  const created = entry.actions?.filter(({ ok }) => ok) ?? [];
  return (
    <>
      <div dir="auto" className="max-w-[66ch] text-pretty font-serif text-md">
        <span className="sr-only">Assistant: </span>
        {hasMarkup(entry.content) ? <MarkdownText text={entry.content} /> : <PlainText text={entry.content} />}
      </div>
      {created.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of an answer never changes.
        <ActionCard key={index} action={action} />
      ))}
    </>
  );
}

function MarkdownText({ text }: { text: string }) {
  const plain = <PlainText text={text} />;
  return <Markdown text={text} pending={plain} renderProblem={() => plain} />;
}

function PlainText({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
}

/** True if Markdown might render the text differently. */
function hasMarkup(text: string): boolean {
  return /[*_`#[\]<>|~\\]|^\s*(?:[-+]|\d+[.)])\s|https?:/m.test(text);
}

const NOT_SENT = "Failed to send message";

function ErrorBubble({ entry, disabled, onRetry }: { entry: Entry; disabled: boolean; onRetry: () => void }) {
  if (!entry.failure) return <Notice variant="destructive" title={entry.content} />;
  const { error, retry } = entry.failure;
  const isStart = retry === null;
  // For a failed start, the title is the server's message if there is one.
  const title = isStart && error instanceof ApiError ? entry.content : isStart ? NOT_STARTED : NOT_SENT;
  const reference = referenceOf(error);
  const needsKey = error instanceof ApiError && (error.type === "MISSING_API_KEY" || error.type === "INVALID_API_KEY");
  return (
    <Notice
      variant="destructive"
      title={title}
      action={
        <div className="flex gap-2 max-md:grid">
          {needsKey ? (
            <Button asChild variant="outline" size="sm">
              <Link href="/settings">Go to Settings</Link>
            </Button>
          ) : null}
          <Button variant="outline" size="sm" disabled={disabled} onClick={onRetry}>
            <RotateCw aria-hidden="true" />
            Try again
          </Button>
        </div>
      }
    >
      {entry.content === title ? null : entry.content}
      {isStart ? null : <span className="block">Your message is kept.</span>}
      {reference ? <span className="mt-1 block text-sm">Reference: {reference}</span> : null}
    </Notice>
  );
}
