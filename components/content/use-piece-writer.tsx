"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import type { ContentOut } from "@/lib/features/content/schema";
import { useRunning, useWritten, type Writing, writePiece } from "@/lib/features/generation/client";
import { isBlank } from "@/lib/utils/text";

export type PieceWriter = {
  generateOutline: () => void;
  writeBody: () => void;
  /** What runs now. */
  running: "outline" | "body" | null;
  isPending: boolean;
  writing: Writing | null;
  dialog: ReactNode;
};

/**
 * The AI at work on the open piece. It asks before it replaces a text, saves what is unsaved first, and runs one call at
 * a time.
 */
export function usePieceWriter(
  piece: ContentOut,
  editor: ContentEditorState,
  { onStart, onBody }: { onStart: () => void; onBody: () => void },
): PieceWriter {
  const [asked, setAsked] = useState<"outline" | "body" | null>(null);
  const client = useQueryClient();
  const now = useRunning(piece.id);
  const running = now?.kind ?? null;
  useWritten(piece.id, (kind, saved) => {
    editor.follow(kind, saved);
    if (kind === "body") onBody();
  });

  function begin(kind: "outline" | "body") {
    if (running || editor.isSaving) return;
    if (isBlank(editor.fields[kind])) void start(kind);
    else setAsked(kind);
  }

  async function start(kind: "outline" | "body") {
    setAsked(null);
    if (!(await editor.saveAll())) return;
    onStart();
    void writePiece(client, kind, piece.id);
  }

  const dialog = (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={() => setAsked(null)}
      title={asked === "outline" ? "Replace the outline?" : "Replace the body?"}
      description={`This piece has ${asked === "outline" ? "an outline" : "a body"} already. The AI writes a new one; the present one stays in the revision history.`}
      confirmLabel={asked === "outline" ? "Generate Outline" : "Write Content with AI"}
      pending={editor.isSaving}
      onConfirm={() => (asked ? start(asked) : undefined)}
    />
  );
  return {
    generateOutline: () => begin("outline"),
    writeBody: () => begin("body"),
    running,
    isPending: running !== null,
    writing: now?.writing ?? null,
    dialog,
  };
}
