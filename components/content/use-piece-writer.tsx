"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type CallStyle, givenStyle, NO_CALL_STYLE, WORDS_RANGE, wordsOf } from "@/components/content/call-style";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { refetchNow } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import {
  useOnWritten,
  useRunning,
  useStopWriting,
  type Writing,
  writePiece,
} from "@/lib/features/generation/client/streams";
import { unfinishedQuery } from "@/lib/features/generation/client/unfinished";
import { isBlank } from "@/lib/utils/text";

export type PieceWriter = {
  generateOutline: () => void;
  writeBody: () => void;
  /** Writes the sections of the outline that the body does not have yet. */
  continueWriting: () => void;
  /** Goes on from what the provider had written when it broke off. */
  goOn: () => void;
  /** Whether it can go on is being looked up. */
  isGoingOn: boolean;
  /** What differs from the project's writing style for the next call. */
  style: CallStyle;
  setStyle: (style: CallStyle) => void;
  stop: () => void;
  isStopping: boolean;
  /** The call in progress. */
  running: "outline" | "body" | null;
  isPending: boolean;
  writing: Writing | undefined;
  dialog: ReactNode;
};

/** The AI calls of the open piece, one at a time. They ask before replacing a text, and first save unsaved changes. */
export function usePieceWriter(
  piece: ContentOut,
  editor: ContentEditorState,
  { onStart, onBody }: { onStart: () => void; onBody: () => void },
): PieceWriter {
  const [confirming, setConfirming] = useState<"outline" | "body" | null>(null);
  const client = useQueryClient();
  const now = useRunning(piece.id);
  const running = now?.kind ?? null;
  const stop = useStopWriting(piece.id);
  const [style, setStyle] = useState(NO_CALL_STYLE);
  useOnWritten(piece.id, (kind, saved) => {
    editor.follow(kind, saved);
    // Stopped or out of time before there was a text: the outline is the place to go on from.
    if (kind === "body" && saved.hasBody) onBody();
  });

  function begin(kind: "outline" | "body") {
    if (running || editor.isSaving || !isStyleUsable()) return;
    if (isBlank(editor.now()[kind])) void start(kind);
    else setConfirming(kind);
  }

  function isStyleUsable(): boolean {
    if (wordsOf(style) !== undefined) return true;
    toast({ ...BAD_WORDS, subject: pieceSubject(piece.id) });
    return false;
  }

  async function start(kind: "outline" | "body", isContinuation = false) {
    setConfirming(null);
    if (!(await editor.saveAll())) return;
    stop.reset();
    onStart();
    void writePiece(client, kind, piece.id, { isContinuation, style: givenStyle(style) });
  }

  // What the notice shows may be old: another tab, or the edits saved here, may have changed what there is to go on from.
  const goingOn = useMutation({
    mutationFn: async () => {
      if (!(await editor.saveAll())) return;
      const { unfinished } = await client.fetchQuery({ ...unfinishedQuery(piece.id), staleTime: 0 });
      if (!unfinished) {
        toast({ ...NOTHING_UNFINISHED, subject: pieceSubject(piece.id) });
        await refetchNow(client, keys.content(piece.id));
      } else if (unfinished.goesOn === "missing") await start("body", true);
      else if (unfinished.goesOn && unfinished.isShown) await start("body");
      else if (unfinished.goesOn) begin("body");
    },
    onError: (error) => toastError(error, { fallback: "The AI could not continue", subject: pieceSubject(piece.id) }),
  });

  const dialog = (
    <ConfirmDialog
      open={confirming !== null}
      onOpenChange={() => setConfirming(null)}
      title={confirming === "outline" ? "Replace the outline?" : "Replace the body?"}
      description={`This piece has ${confirming === "outline" ? "an outline" : "a body"} already. The AI writes a new one; the present one stays in the revision history.`}
      confirmLabel={confirming === "outline" ? "Generate Outline" : "Write Content with AI"}
      pending={editor.isSaving}
      onConfirm={() => (confirming ? start(confirming) : undefined)}
    />
  );
  return {
    generateOutline: () => begin("outline"),
    writeBody: () => begin("body"),
    continueWriting: () => (running || editor.isSaving || !isStyleUsable() ? undefined : void start("body", true)),
    goOn: () => (running || editor.isSaving || !isStyleUsable() ? undefined : goingOn.mutate()),
    isGoingOn: goingOn.isPending,
    style,
    setStyle,
    stop: () => stop.mutate(),
    isStopping: running !== null && (stop.isPending || (stop.data?.isStopping ?? false)),
    running,
    isPending: running !== null,
    writing: now?.writing,
    dialog,
  };
}

const NOTHING_UNFINISHED = {
  title: "Nothing to continue",
  description: "This section was continued or dropped in another window.",
  variant: "neutral" as const,
};

const BAD_WORDS = {
  title: "Not started",
  description: `Words of this text: ${WORDS_RANGE}`,
  variant: "destructive" as const,
};
