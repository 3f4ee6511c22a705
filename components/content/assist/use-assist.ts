"use client";

import { useEffect, useRef, useState } from "react";
import { toastError } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import { requestRewrite } from "@/lib/features/generation/client/streams";
import type { RewriteInput } from "@/lib/features/generation/schema";

/** `text` grows while it is written. `note` is about a finished one. */
export type Proposal = { input: RewriteInput; text: string; isThinking: boolean; isDone: boolean; note: string | null };

/** One request to the AI at a time. Stopping it, or a failure, keeps what has arrived; closing the dialog stops it too. */
export function useAssist(pieceId: string) {
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function ask(input: RewriteInput): Promise<void> {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const begun: Proposal = { input, text: "", isThinking: false, isDone: false, note: null };
    const show = (part: Partial<Proposal>) =>
      running.current === abort ? setProposal((now) => ({ ...begun, ...now, ...part })) : undefined;
    setProposal(begun);
    try {
      const { text, note } = await requestRewrite(pieceId, input, abort.signal, show);
      show({ text, note, isDone: true });
    } catch (error) {
      if (running.current !== abort) return;
      if (!abort.signal.aborted)
        toastError(error, { fallback: "The AI did not answer", subject: pieceSubject(pieceId) });
      const note = abort.signal.aborted ? null : BROKE_OFF;
      setProposal((now) => (now?.text.trim() ? { ...now, isDone: true, note } : null));
    }
  }

  return {
    proposal,
    ask: (input: RewriteInput) => void ask(input),
    stop: () => running.current?.abort(),
    /** Goes back to the question. */
    reset() {
      const last = running.current;
      running.current = null;
      last?.abort();
      setProposal(null);
    },
  };
}

const BROKE_OFF = "The AI broke off here. Take what you can use of it, or ask again.";
