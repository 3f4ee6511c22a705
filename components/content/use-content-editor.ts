"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import {
  afterOwnChange,
  afterSave,
  changesOf,
  type Draft,
  type DraftFields,
  draftFromKept,
  EMPTY_DRAFT,
  fieldsOf,
  mergedDraft,
  patchOf,
} from "@/components/content/draft";
import { useDraft } from "@/components/content/use-draft";
import { ApiError } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { registerDraft } from "@/lib/client/session-drafts";
import { toast, toastError } from "@/lib/client/toast";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import { cacheContent, conflictOf, useSaveContent } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import { isBlank } from "@/lib/utils/text";

/** Drafts of editors left by the browser's back button, which cannot be intercepted. */
const leftBehind = new WeakMap<QueryClient, Map<string, Draft>>();

function leftBehindOf(client: QueryClient): Map<string, Draft> {
  const drafts = leftBehind.get(client) ?? new Map<string, Draft>();
  leftBehind.set(client, drafts);
  return drafts;
}

/** Unsaved edits and their saving. A save that meets a newer version sets `conflict`, and neither text is lost. */
export function useContentEditor(cached: ContentOut) {
  const [answered, setAnswered] = useState(cached);
  // The cache tells of a save a moment after its answer. Without the edits, the text before them would be shown meanwhile.
  const piece = isNewer(answered, cached) ? answered : cached;
  const client = useQueryClient();
  const save = useSaveContent(piece.id);
  const subject = `piece:${piece.id}`;
  const edits = useDraft(piece, () => leftBehindOf(client).get(piece.id) ?? EMPTY_DRAFT);
  const { draft } = edits;
  const [conflict, setConflict] = useState<{ theirs: ContentOut; mine: Partial<DraftFields> } | null>(null);
  const [titleError, setTitleError] = useState<string>();
  const wasMerged = useRef(false);
  const fields = fieldsOf(piece, draft);
  const isDraftChanged = useMemo(() => isChanged(piece, draft), [piece, draft]);
  const isDirty = edits.isTyping || isDraftChanged;
  useSessionDraft(draftName(piece.id), {
    subject,
    take: () => (isChanged(piece, edits.now()) ? keptOf(edits.now()) : null),
    restore,
  });
  useDraftLeftBehind(client, piece, edits.now);

  function restore(stored: unknown): boolean {
    const restored = draftFromKept(stored, piece);
    if (restored) edits.change(() => restored);
    return restored !== null;
  }

  function edit<F extends keyof DraftFields>(field: F, value: DraftFields[F]) {
    if (field === "title") setTitleError(undefined);
    edits.edit(field, value);
  }

  /** Saves these fields. Returns the saved piece, or null after showing why it was not saved. */
  async function send(
    mine: Partial<DraftFields>,
    sent: Partial<DraftFields>,
    version: "checked" | "any",
    on = piece,
    merges = 0,
  ) {
    if (mine.title !== undefined && isBlank(mine.title)) {
      setTitleError("Give this piece a title before you save it.");
      return null;
    }
    const { version: basedOn, ...patch } = patchOf(on, edits.now(), mine);
    try {
      const saved = await save.mutateAsync(version === "any" ? patch : { ...patch, version: basedOn });
      setAnswered(saved);
      edits.change((now) => afterSave(now, sent, saved));
      setConflict(null);
      return saved;
    } catch (error) {
      const theirs = conflictOf(error);
      if (theirs) return sendMerged(mine, theirs, merges + 1);
      toastError(error, {
        fallback: "Error updating content",
        subject,
        note: mustSaveLater(error) ? STILL_HERE : undefined,
      });
      return null;
    }
  }

  /** Saves the same fields on the newer version, or asks if both have changed the same lines. */
  async function sendMerged(
    mine: Partial<DraftFields>,
    theirs: ContentOut,
    merges: number,
  ): Promise<ContentOut | null> {
    const merged = merges <= MAX_MERGES ? mergedDraft(edits.now(), theirs) : null;
    if (!merged) {
      setConflict({ theirs, mine });
      return null;
    }
    setAnswered(theirs);
    edits.change(() => merged);
    cacheContent(client, theirs);
    const changed = Object.entries(changesOf(theirs, merged)).filter(([field]) => field in mine);
    wasMerged.current = true;
    if (changed.length === 0) return theirs;
    const changes = Object.fromEntries(changed);
    return send(changes, changes, "checked", theirs, merges);
  }

  /** What a save says: also if it has merged what was changed elsewhere. */
  function saySaved() {
    toast({ title: "Success", description: wasMerged.current ? MERGED : UPDATED, subject });
  }

  /** Saves all changes. Without any, returns the piece as it is. */
  async function saveAll(): Promise<ContentOut | null> {
    if (save.isPending) return null;
    wasMerged.current = false;
    const now = edits.now();
    return isChanged(piece, now) ? send(changesOf(piece, now), now.edits, "checked") : piece;
  }

  async function saveChanges() {
    const wasChanged = isChanged(piece, edits.now());
    if (!(await saveAll())) return;
    if (wasChanged) saySaved();
    else toast({ title: "Success", description: "Everything is saved already", subject });
  }

  /** Saves only the outline. Its button is pending during a save. */
  async function saveOutline() {
    const { outline } = fieldsOf(piece, edits.now());
    wasMerged.current = false;
    if (await send({ outline }, { outline }, "checked")) saySaved();
  }

  async function keepMine() {
    if (!conflict) return;
    const saved = await send(conflict.mine, conflict.mine, "any");
    if (saved) toast({ title: "Success", description: UPDATED, subject });
  }

  function takeTheirs() {
    if (!conflict) return;
    setAnswered(conflict.theirs);
    edits.discard();
    setConflict(null);
    cacheContent(client, conflict.theirs);
  }

  return {
    fields,
    isDirty,
    titleError,
    edit,
    type: edits.type,
    discard: edits.discard,
    isSaving: save.isPending,
    saveAll,
    saveChanges,
    saveOutline,
    conflict,
    keepMine,
    takeTheirs,
    closeConflict: () => setConflict(null),
    /** After an AI call changed one field of the stored piece. */
    follow: (field: keyof DraftFields, saved: ContentOut) => edits.change((now) => afterOwnChange(now, field, saved)),
  };
}

/** Saves of one text that may meet a newer version in a row, before the person is asked. */
const MAX_MERGES = 3;

const UPDATED = "Content has been updated successfully";
const MERGED = `${UPDATED}. What was changed elsewhere is in it too.`;

/** True if storage is full or saves are rate limited: the user has to save this text later. */
function mustSaveLater(error: unknown): boolean {
  return error instanceof ApiError && (error.type === "STORAGE_FULL" || error.type === "RATE_LIMITED");
}

const STILL_HERE = "What you typed is still here.";

export type ContentEditorState = ReturnType<typeof useContentEditor>;

/** The name under which a piece's draft is stored when the session ends. */
const draftName = (id: string) => `piece:${id}`;

/** Keeps the draft when the editor is unmounted. */
function useDraftLeftBehind(client: QueryClient, { id, title }: ContentOut, now: () => Draft): void {
  const atEnd = useEffectEvent(() => ({ draft: now(), title }));
  useEffect(
    () => () => {
      const { draft, title } = atEnd();
      leftBehindOf(client).delete(id);
      if (Object.keys(draft.edits).length === 0) return;
      leftBehindOf(client).set(id, draft);
      const userId = client.getQueryData<{ id: string } | null>(keys.user())?.id;
      // The session may end on another page.
      if (userId) registerDraft(draftName(id), { userId, label: title, take: () => keptOf(draft) });
    },
    [client, id],
  );
}

/** What the browser stores: without the texts that the server has. */
function keptOf({ version, edits }: Draft): Draft {
  return { version, edits };
}

/** A change of the status alone leaves the version. */
function isNewer(one: ContentOut, other: ContentOut): boolean {
  return one.version > other.version || (one.version === other.version && one.updatedAt > other.updatedAt);
}

function isChanged(piece: ContentOut, draft: Draft): boolean {
  return Object.keys(changesOf(piece, draft)).length > 0;
}
