"use client";

import { useSyncExternalStore } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { siteQuestion } from "@/lib/client/site-question";
import type { SiteAnswer } from "@/lib/features/sites/schema";

const SiteQuestionPanel = lazyDialog(() =>
  import("@/components/publishing/site-question-panel").then((module) => module.SiteQuestionPanel),
);

/** Asks at the button which site the user's calls have reached. Mounted above all pages. */
export function SiteQuestionDialog() {
  const question = useSyncExternalStore(siteQuestion.subscribe, siteQuestion.read, () => null);
  return (
    <SiteQuestionPanel
      question={question ?? ""}
      open={question !== null}
      onOpenChange={(open) => (open ? undefined : siteQuestion.answer(null))}
    />
  );
}

type AnswerProps = { pending: boolean; onAnswer: (site: NonNullable<SiteAnswer>) => void };

/** Asks the same question beside the result of the connection test. */
export function SiteQuestionNotice({ question, ...answers }: AnswerProps & { question: string }) {
  return (
    <Notice live variant="warning" title="Which site is this?">
      <p>{question} Nothing is published there until you have answered.</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <SiteAnswers {...answers} />
      </div>
    </Notice>
  );
}

export function SiteAnswers({ pending, onAnswer }: AnswerProps) {
  return (
    <>
      <Button variant="outline" size="sm" pending={pending} onClick={() => onAnswer("same")}>
        The same site
      </Button>
      <Button variant="outline" size="sm" pending={pending} onClick={() => onAnswer("other")}>
        Another site
      </Button>
    </>
  );
}
