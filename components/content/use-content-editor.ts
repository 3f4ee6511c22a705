"use client";

import { useMemo, useState } from "react";
import { type Draft, type DraftFields, editedFields, fieldsOf } from "@/components/content/draft";
import { useDraftSaver } from "@/components/content/use-draft-saver";
import { ApiError } from "@/lib/client/api";
import { toast, toastError } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";

/** Unsaved edits and their saving, by itself and on a button. Neither of two texts that cannot be merged is lost. */
export function useContentEditor(cached: ContentOut, { onTitleMissing }: { onTitleMissing: () => void }) {
  const { saver, state } = useDraftSaver(cached);
  const { piece, draft, isTyping, saving, failure, conflict, titleError, hasSaved } = state;
  const [isDeciding, setDeciding] = useState(false);
  const subject = pieceSubject(piece.id);
  const fields = fieldsOf(piece, draft);
  const isDraftChanged = useMemo(() => Object.keys(editedFields(piece, draft)).length > 0, [piece, draft]);

  /** Does what the user has asked for. Returns the saved piece, or null after showing why it was not saved. */
  async function attempt(work: () => Promise<ContentOut | null>): Promise<ContentOut | null> {
    try {
      const saved = await work();
      setDeciding(saver.read().conflict !== null);
      if (!saved) sayTitleMissing();
      return saved;
    } catch (error) {
      const note = mustSaveLater(error) ? STILL_HERE : undefined;
      toastError(error, { fallback: "Error updating content", subject, note });
      return null;
    }
  }

  /** The field may be in another tab, or scrolled away. */
  function sayTitleMissing(): void {
    const { titleError: description } = saver.read();
    if (!description) return;
    toast({ title: "Error", description, variant: "destructive", subject });
    onTitleMissing();
  }

  /** Saves all changes without a toast. Returns the piece, or null after showing why it was not saved. */
  async function saveAll(): Promise<ContentOut | null> {
    const saved = await attempt(() => saver.save());
    if (saved) saver.takeSaved();
    return saved;
  }

  async function saveAndSay(work: () => Promise<ContentOut | null>): Promise<void> {
    if (await attempt(work)) toast({ title: "Success", description: SAVED[saver.takeSaved()], subject });
  }

  return {
    piece,
    fields,
    isDirty: isTyping || isDraftChanged,
    isSaving: saving === "asked",
    /** True during an automatic save; the button stays as it is. */
    isAutosaving: saving === "automatic",
    isFailing: failure !== null,
    hasSaved,
    titleError,
    edit: <F extends keyof DraftFields>(field: F, value: DraftFields[F]) => saver.edit(field, value),
    type: (field: "body" | "outline", read: () => string, length: number) => saver.type(field, read, length),
    /** The fields at this moment, with what is being typed. Not for rendering. */
    now: () => fieldsOf(saver.read().piece, saver.now()),
    saveAll,
    saveChanges: () => saveAndSay(() => saver.save()),
    saveOutline: () => saveAndSay(() => saver.save(["outline"])),
    /** Called before the screen is left. False, or no answer in time, means that something is unsaved. */
    saveToLeave: () => Promise.race([saver.saveQuietly(), after(LEAVE_MS)]),
    unsavedNote: saver.isCopied ? KEPT_HERE : undefined,
    /** Takes over edits that this browser has kept, and asks where they clash with what was saved since. */
    async restore(kept: Draft) {
      if (!(await saver.saveQuietly())) return false;
      if (!(await saver.restore(kept))) setDeciding(true);
      return true;
    },
    conflict: conflict && {
      ...conflict,
      draft,
      isDeciding,
      decide: () => setDeciding(true),
      close: () => setDeciding(false),
      resolve: (chosen: Draft) => saveAndSay(() => saver.resolve(chosen)),
      takeTheirs: () => attempt(() => saver.takeTheirs()),
    },
    /** Called after an AI call has changed one field of the stored piece. */
    follow: (field: keyof DraftFields, saved: ContentOut) => saver.follow(field, saved),
  };
}

export type ContentEditorState = ReturnType<typeof useContentEditor>;

const UPDATED = "Content has been updated successfully";
const SAVED = {
  nothing: "Everything is saved already",
  saved: UPDATED,
  merged: `${UPDATED}. What was changed elsewhere is in it too.`,
};

/** How long leaving waits for the last save. */
const LEAVE_MS = 5_000;

const KEPT_HERE =
  "Your last changes could not be saved. They stay in this browser, and are offered when you open this piece here again.";

function after(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms));
}

/** True if storage is full or saves are rate limited: the user has to save this text later. */
function mustSaveLater(error: unknown): boolean {
  return error instanceof ApiError && (error.type === "STORAGE_FULL" || error.type === "RATE_LIMITED");
}

const STILL_HERE = "What you typed is still here.";
