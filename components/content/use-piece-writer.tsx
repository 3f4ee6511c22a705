"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import type { ContentOut } from "@/lib/features/content/schema";
import { useOnWritten, useRunning, useStopWriting, type Writing, writePiece } from "@/lib/features/generation/client";
import { isBlank } from "@/lib/utils/text";

export type PieceWriter = {
  generateOutline: () => void;
  writeBody: () => void;
  /** Writes the sections of the outline that the body does not have yet. */
  goOn: () => void;
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
  useOnWritten(piece.id, (kind, saved) => {
    editor.follow(kind, saved);
    if (kind === "body") onBody();
  });

  function begin(kind: "outline" | "body") {
    if (running || editor.isSaving) return;
    if (isBlank(editor.fields[kind])) void start(kind);
    else setConfirming(kind);
  }

  async function start(kind: "outline" | "body", isGoingOn = false) {
    setConfirming(null);
    if (!(await editor.saveAll())) return;
    stop.reset();
    onStart();
    void writePiece(client, kind, piece.id, { isGoingOn });
  }

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
    goOn: () => (running || editor.isSaving ? undefined : void start("body", true)),
    stop: () => stop.mutate(),
    isStopping: running !== null && (stop.isPending || (stop.data?.isStopping ?? false)),
    running,
    isPending: running !== null,
    writing: now?.writing,
    dialog,
  };
}
