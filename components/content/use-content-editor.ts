"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  afterOwnChange,
  afterSave,
  changesOf,
  type Draft,
  type DraftFields,
  draftFromKept,
  EMPTY_DRAFT,
  fieldsOf,
  patchOf,
  withEdit,
} from "@/components/content/draft";
import { ApiError } from "@/lib/client/api";
import { holdText } from "@/lib/client/kept-text";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { useKeptText } from "@/lib/client/use-kept-text";
import { conflictOf, keepContent, useSaveContent } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import { isBlank } from "@/lib/utils/text";

/** Unsaved changes of pieces whose editor was left by the browser's back button, which cannot be asked first. */
const leftBehind = new WeakMap<QueryClient, Map<string, Draft>>();

function leftBehindOf(client: QueryClient): Map<string, Draft> {
  const drafts = leftBehind.get(client) ?? new Map<string, Draft>();
  leftBehind.set(client, drafts);
  return drafts;
}

/** What is typed and not saved, and saving it. A save that meets a newer text elsewhere sets `conflict` and loses neither. */
export function useContentEditor(piece: ContentOut) {
  const client = useQueryClient();
  const save = useSaveContent(piece.id);
  const subject = `piece:${piece.id}`;
  const [draft, setDraft] = useState<Draft>(() => leftBehindOf(client).get(piece.id) ?? EMPTY_DRAFT);
  const [conflict, setConflict] = useState<{ theirs: ContentOut; mine: Partial<DraftFields> } | null>(null);
  const [titleError, setTitleError] = useState<string>();
  const fields = fieldsOf(piece, draft);
  const changes = changesOf(piece, draft);
  const isDirty = Object.keys(changes).length > 0;
  useKeptText(keptName(piece.id), { subject, take: () => (isDirty ? draft : null), restore });
  useKeepWhenLeft(client, piece, draft);

  function restore(kept: unknown): boolean {
    const back = draftFromKept(kept, piece);
    if (back) setDraft(back);
    return back !== null;
  }

  function edit<F extends keyof DraftFields>(field: F, value: DraftFields[F]) {
    if (field === "title") setTitleError(undefined);
    setDraft((now) => withEdit(now, piece, field, value));
  }

  /** Sends these fields; answers the saved piece, or null after telling why it could not be saved. */
  async function send(mine: Partial<DraftFields>, sent: Partial<DraftFields>, version: "checked" | "any") {
    if (mine.title !== undefined && isBlank(mine.title)) {
      setTitleError("Give this piece a title before you save it.");
      return null;
    }
    const { version: basedOn, ...patch } = patchOf(piece, draft, mine);
    try {
      const saved = await save.mutateAsync(version === "any" ? patch : { ...patch, version: basedOn });
      setDraft((now) => afterSave(now, sent, saved));
      setConflict(null);
      return saved;
    } catch (error) {
      const theirs = conflictOf(error);
      if (theirs) setConflict({ theirs, mine });
      else
        toastError(error, {
          fallback: "Error updating content",
          subject,
          note: isRefused(error) ? STILL_HERE : undefined,
        });
      return null;
    }
  }

  /** Saves all changes; nothing to save answers the piece as it is. */
  async function saveAll(): Promise<ContentOut | null> {
    if (save.isPending) return null;
    return isDirty ? send(changes, draft.edits, "checked") : piece;
  }

  /** Save Changes, told by a toast. */
  async function saveChanges() {
    const hadChanges = isDirty;
    if (!(await saveAll())) return;
    const description = hadChanges ? "Content has been updated successfully" : "Everything is saved already";
    toast({ title: "Success", description, subject });
  }

  /** Save Outline: the outline alone. */
  async function saveOutline() {
    if (save.isPending) return;
    const { outline } = fields;
    const saved = await send({ outline }, { outline }, "checked");
    if (saved) toast({ title: "Success", description: "Content has been updated successfully", subject });
  }

  async function keepMine() {
    if (!conflict || save.isPending) return;
    const saved = await send(conflict.mine, conflict.mine, "any");
    if (saved) toast({ title: "Success", description: "Content has been updated successfully", subject });
  }

  function takeTheirs() {
    if (!conflict) return;
    setDraft(EMPTY_DRAFT);
    setConflict(null);
    keepContent(client, conflict.theirs);
  }

  return {
    fields,
    isDirty,
    titleError,
    edit,
    discard: () => setDraft(EMPTY_DRAFT),
    isSaving: save.isPending,
    saveAll,
    saveChanges,
    saveOutline,
    conflict,
    keepMine,
    takeTheirs,
    closeConflict: () => setConflict(null),
    /** After an AI call changed one field of the stored piece. */
    follow: (field: keyof DraftFields, saved: ContentOut) => setDraft((now) => afterOwnChange(now, field, saved)),
  };
}

/** Is there no room to save, or no save left in this minute? Both ask the person to come back to this text. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.type === "STORAGE_FULL" || error.type === "RATE_LIMITED");
}

const STILL_HERE = "What you typed is still here.";

export type ContentEditorState = ReturnType<typeof useContentEditor>;

/** Where a piece's unsaved text is kept when the session ends. */
const keptName = (id: string) => `piece:${id}`;

function useKeepWhenLeft(client: QueryClient, { id, title }: ContentOut, draft: Draft): void {
  const latest = useRef({ draft, title });
  useEffect(() => {
    latest.current = { draft, title };
  });
  useEffect(
    () => () => {
      const { draft, title } = latest.current;
      leftBehindOf(client).delete(id);
      if (Object.keys(draft.edits).length === 0) return;
      leftBehindOf(client).set(id, draft);
      const userId = client.getQueryData<{ id: string } | null>(keys.user())?.id;
      // Should the session end on another page.
      if (userId) holdText(keptName(id), { userId, label: title, take: () => draft });
    },
    [client, id],
  );
}
