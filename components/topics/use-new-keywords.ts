"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { saveRejectedText, useRejectedText } from "@/lib/client/rejected-text";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import { rejectedKeywords, useAddKeyword, useAddSuggestedKeywords } from "@/lib/features/topics/client";
import { fittingKeywords, separateKeywords } from "@/lib/features/topics/rules";
import type { TopicOut } from "@/lib/features/topics/schema";
import { isBlank } from "@/lib/utils/text";

/** The text of the field for new keywords, and what adds them. What cannot be added stays in the field. */
export function useNewKeywords(topic: TopicOut) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const place = rejectedKeywords.added(topic.id);
  const [rejectedTexts, dropRejected] = useRejectedText(place);
  const sending = useRef(new Set<string>());
  const addOne = useAddKeyword(topic);
  const addMany = useAddSuggestedKeywords(topic);
  // A rejected text comes back only into an empty field.
  const [rejected] = Object.keys(rejectedTexts);
  const text = typed || (rejected ?? "");
  const { lines, parts } = useMemo(() => separateKeywords(text), [text]);

  useSessionDraft(`keyword:${topic.id}`, {
    // A keyword being sent is no longer in the field.
    take: () => [text.trim(), ...sending.current].find((keyword) => !isBlank(keyword)) ?? null,
    restore(stored) {
      if (typeof stored === "string") setTyped(stored);
      return typeof stored === "string";
    },
  });

  function change(value: string) {
    if (typed === "" && rejected !== undefined) dropRejected(rejected);
    setTyped(value);
  }

  /** Adds these of the field's keywords: one at once, several when the server has answered, which knows what is new. */
  function add(keywords: string[]) {
    const { fitting, later } = fittingKeywords(keywords);
    const [keyword] = fitting;
    if (keyword === undefined) return;
    if (keywords.length > 1) return addSeveral(fitting, later.join("\n"));
    if (!begin(keyword)) return;
    change("");
    addOne
      .mutateAsync({ keyword })
      // The mutation has shown a toast and kept the text.
      .catch(() => undefined)
      .finally(() => sending.current.delete(keyword));
  }

  function addSeveral(keywords: string[], rest: string) {
    const sent = text;
    if (!begin(sent)) return;
    addMany
      .mutateAsync({ keywords })
      .then(
        () => rest,
        () => sent,
      )
      .then((left) => {
        sending.current.delete(sent);
        setTyped("");
        dropRejected(sent);
        // Kept outside of the field, which is gone if the topic was closed meanwhile.
        if (left !== "") saveRejectedText(client, place, left, left);
      });
  }

  /** False if this is on its way already: a second Enter can come before the emptied field is rendered. */
  function begin(sent: string): boolean {
    if (sending.current.has(sent)) return false;
    sending.current.add(sent);
    return true;
  }

  return { text, lines, parts, change, add, isPending: addMany.isPending };
}
