"use client";

import { useRef, useState } from "react";
import { type Draft, type DraftFields, EMPTY_DRAFT, withEdit } from "@/components/content/draft";
import type { ContentOut } from "@/lib/features/content/schema";

type TextField = "body" | "outline";
type Typing = { field: TextField; read: () => string; timer: ReturnType<typeof setTimeout> };

/** With a longer text, rendering the screen at each key would be felt on a slow machine. */
const LONG = 2_000;
const PAUSE_MS = 400;

/**
 * The unsaved edits. A long text that is being typed is read at the next pause, or when `now` needs it; the piece counts as
 * changed from its first key on.
 */
export function useDraft(piece: ContentOut, first: () => Draft) {
  const [draft, setDraft] = useState(first);
  // What handlers go by: `draft` is that of the last render.
  const latest = useRef(draft);
  const typing = useRef<Typing | null>(null);
  const [isTyping, setTyping] = useState(false);

  function change(next: (draft: Draft) => Draft): void {
    latest.current = next(latest.current);
    setDraft(latest.current);
  }

  function edit<F extends keyof DraftFields>(field: F, value: DraftFields[F]): void {
    if (typing.current?.field === field) stopTyping();
    change((now) => withEdit(now, piece, field, value));
  }

  /** An editor's text has changed; `read` returns it. */
  function type(field: TextField, read: () => string, length: number): void {
    if (typing.current && typing.current.field !== field) settle();
    clearTimeout(typing.current?.timer);
    if (length < LONG || latest.current.edits[field] === undefined) edit(field, read());
    else {
      typing.current = { field, read, timer: setTimeout(settle, PAUSE_MS) };
      setTyping(true);
    }
  }

  function stopTyping(): void {
    clearTimeout(typing.current?.timer);
    typing.current = null;
    setTyping(false);
  }

  /** Reads what is being typed. */
  function settle(): void {
    const { field, read } = typing.current ?? {};
    stopTyping();
    if (field && read) edit(field, read());
  }

  return {
    draft,
    /** A text is being typed that `draft` does not have yet. */
    isTyping,
    edit,
    type,
    change(next: (draft: Draft) => Draft): void {
      settle();
      change(next);
    },
    /** The edits as of this moment. */
    now(): Draft {
      settle();
      return latest.current;
    },
    discard(): void {
      stopTyping();
      change(() => EMPTY_DRAFT);
    },
  };
}
