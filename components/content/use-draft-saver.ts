"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Draft, draftFromKept } from "@/components/content/draft";
import { DraftSaver } from "@/components/content/draft-saver";
import { isNewer, type SaverState } from "@/components/content/saver-state";
import { isNotFound } from "@/lib/client/api";
import { currentUserId } from "@/lib/client/current-user";
import { warnBeforeUnload } from "@/lib/client/leave-guard";
import { type CopyWriter, openCopy } from "@/lib/client/local-copies";
import { registerDraft } from "@/lib/client/session-drafts";
import { joinSignOut } from "@/lib/client/sign-out";
import { toastError, toasts } from "@/lib/client/toast";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import { pieceSubject, saveContent } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import { bounded } from "@/lib/utils/bounded";

/** The savers of open editors, and of those that were left with something unsaved. */
const savers = new WeakMap<QueryClient, Map<string, Kept>>();

type Kept = {
  saver: DraftSaver;
  userId: string | undefined;
  /** True while an editor shows it. */
  isShown: boolean;
  /** Follows the page's life, from the first editor on. */
  listen: () => void;
  close: () => void;
};

/** The piece's saver and its state. It goes on after the editor is left, until everything is saved. */
export function useDraftSaver(cached: ContentOut): { saver: DraftSaver; state: SaverState } {
  const client = useQueryClient();
  const kept = keptSaver(client, cached);
  const { saver } = kept;
  const known = useSyncExternalStore(saver.subscribe, saver.read, saver.read);
  // The cache learns of a save a moment after its answer, and of a change elsewhere a moment before the saver does.
  const state = known.piece === cached || isNewer(known.piece, cached) ? known : { ...known, piece: cached };
  const { id } = cached;

  useEffect(() => saver.see(cached), [saver, cached]);
  useSessionDraft(draftName(id), {
    subject: pieceSubject(id),
    isAutosaved: true,
    take: () => takenFrom(saver),
    restore(stored) {
      const restored = draftFromKept(stored, saver.read().piece);
      if (restored) void saver.restore(restored);
      return restored !== null;
    },
  });
  useEffect(() => {
    kept.isShown = true;
    kept.listen();
    const stopWarning = warnBeforeUnload(() => saver.mustAsk);
    return () => {
      kept.isShown = false;
      stopWarning();
      leave(client, id, kept);
    };
  }, [client, saver, kept, id]);
  return { saver, state };
}

function keptSaver(client: QueryClient, piece: ContentOut): Kept {
  const all = savers.get(client) ?? bounded<string, Kept>("editors", 10_000, "Each is open or has unsaved text.");
  savers.set(client, all);
  const userId = currentUserId(client);
  const known = all.get(piece.id);
  // Another user's edits are not shown, and wait in this browser for their owner.
  if (known?.userId === userId && known) return known;
  known?.close();
  const made = createSaver(client, piece, userId);
  all.set(piece.id, made);
  return made;
}

function createSaver(client: QueryClient, piece: ContentOut, userId: string | undefined): Kept {
  const { id } = piece;
  const subject = `saving:${id}`;
  let copy: CopyWriter | undefined;

  const saver = new DraftSaver(piece, {
    async send(input, how) {
      if (currentUserId(client) !== userId) {
        saver.stop();
        throw new DOMException("Somebody else is signed in now.", "AbortError");
      }
      return saveContent(client, id, input, how);
    },
    async keep(draft) {
      if (!userId || (!draft && !copy)) return draft === null;
      copy ??= openCopy(userId, id);
      const { title } = saver.read().piece;
      return copy.write(draft && { at: Date.now(), label: title, value: draft });
    },
    onFailure(error) {
      if (!error) toasts.withdraw(subject);
      // A piece that is gone has a notice of its own.
      else if (!isNotFound(error)) toastError(error, { ...NOT_SAVED, subject });
    },
  });

  const listening = new AbortController();
  const { signal } = listening;
  let leaveSignOut: (() => void) | undefined;
  const kept: Kept = {
    saver,
    userId,
    isShown: false,
    listen() {
      if (leaveSignOut) return;
      leaveSignOut = joinSignOut({ userId: userId ?? "", save: saveFirst, close: kept.close });
      window.addEventListener("online", () => saver.retryNow(), { signal });
      window.addEventListener("beforeunload", () => saver.flush(), { signal });
      window.addEventListener("pagehide", () => saver.flush(), { signal });
      const onVisibility = () => (document.visibilityState === "hidden" ? saver.flush() : saver.retryNow());
      document.addEventListener("visibilitychange", onVisibility, { signal });
    },
    close() {
      saver.stop();
      listening.abort();
      copy?.release();
      leaveSignOut?.();
    },
  };
  async function saveFirst() {
    const isSaved = await saver.saveQuietly();
    return isSaved ? null : { subject: id, label: saver.read().piece.title };
  }
  return kept;
}

/** Called when the editor is left: what is unsaved goes on being saved, and the saver is dropped when nothing is. */
function leave(client: QueryClient, id: string, kept: Kept): void {
  const { saver, userId } = kept;
  const drop = () => {
    const all = savers.get(client);
    if (kept.isShown || saver.isDirty || all?.get(id) !== kept) return;
    kept.close();
    all.delete(id);
  };
  // React may show the same editor again at once.
  if (!saver.isDirty) return void setTimeout(drop);
  const { title } = saver.read().piece;
  // The session may end on another page.
  const unregister = userId
    ? registerDraft(draftName(id), { userId, label: title, take: () => takenFrom(saver) })
    : () => {};
  const unsubscribe = saver.subscribe(() => {
    if (saver.isDirty) return;
    unsubscribe();
    unregister();
    drop();
  });
  void saver.saveQuietly();
}

/** The name under which a piece's draft is stored when the session ends. */
const draftName = (id: string) => `piece:${id}`;

/** What the browser stores when the session ends: the draft without the texts that the server has. */
function takenFrom(saver: DraftSaver): Draft | null {
  if (!saver.isDirty) return null;
  const { version, edits } = saver.now();
  return { version, edits };
}

const NOT_SAVED = {
  title: "Not saved yet",
  fallback: "The server could not save your changes.",
  note: "What you typed is kept in this browser, and saved as soon as possible.",
};
