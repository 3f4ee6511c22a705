"use client";

import { useMemo, useState } from "react";
import { ClashChoice } from "@/components/content/clash-choice";
import { chosenDraft, type DraftFields, mergesOf } from "@/components/content/draft";
import { type Choice, isClash } from "@/components/content/merge-texts";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { AlertPanel } from "@/components/shared/alert-panel";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { AlertDialogCancel } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

/** Places that the user decides one by one; in any others the user's text is kept. */
const MANY = 50;

const NAMES: Record<keyof DraftFields, string> = {
  title: "Title",
  body: "Body",
  outline: "Outline",
  status: "Status",
  focusKeyword: "Focus keyword",
  metaTitle: "SEO title",
  metaDescription: "Meta description",
  slug: "Slug",
  excerpt: "Excerpt",
};

/**
 * Asks about a piece that was saved elsewhere since it was opened here, where both have changed the same lines: the user
 * chooses for each place. The text that was left stays as a revision.
 */
export function ConflictDialog({
  open,
  onOpenChange,
  conflict,
  isSaving,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  conflict: NonNullable<ContentEditorState["conflict"]>;
  isSaving: boolean;
}) {
  const { draft, theirs, resolve, takeTheirs } = conflict;
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  /** Which of the two buttons was pressed. */
  const [isTaking, setTaking] = useState(false);
  const merges = useMemo(() => mergesOf(draft, theirs), [draft, theirs]);
  const clashes = merges.flatMap(({ field, parts }) =>
    parts.filter(isClash).map((clash, index, all) => ({ field, clash, index, count: all.length })),
  );
  const isMixed = Object.values(choices).some((choice) => choice !== "mine");
  const choose = (field: string, index: number) => choices[`${field} ${index}`] ?? "mine";
  return (
    <AlertPanel
      open={open}
      onOpenChange={(next) => (isSaving ? undefined : onOpenChange(next))}
      className="md:max-w-3xl"
      footerClassName="flex-wrap"
      title="This piece was changed elsewhere"
      description="Another window, or the AI, saved a newer text while you were editing, and both have changed the same lines. Choose for each place, or take the other version as a whole. Neither is lost: the text you leave stays in the revision history."
      body={
        <ScrollRegion className="-mx-1 max-h-[50dvh] max-md:max-h-[34dvh] px-1">
          <div className="grid gap-5">
            {clashes.slice(0, MANY).map(({ field, clash, index, count }) => (
              <ClashChoice
                key={`${field} ${index}`}
                name={count > 1 ? `${NAMES[field]}, place ${index + 1} of ${count}` : NAMES[field]}
                clash={clash}
                canBeBoth={field !== "title"}
                value={choose(field, index)}
                onChange={(choice) => setChoices((now) => ({ ...now, [`${field} ${index}`]: choice }))}
              />
            ))}
            {clashes.length > MANY ? (
              <p className="text-muted-foreground text-sm">
                And {(clashes.length - MANY).toLocaleString("en-US")} more places, where your text is kept.
              </p>
            ) : null}
          </div>
        </ScrollRegion>
      }
    >
      <AlertDialogCancel variant="ghost" disabled={isSaving}>
        Go on editing
      </AlertDialogCancel>
      <Button
        variant="outline"
        pending={isSaving && isTaking}
        disabled={isSaving}
        onClick={() => {
          setTaking(true);
          void takeTheirs();
        }}
      >
        Take the other version
      </Button>
      <Button
        pending={isSaving && !isTaking}
        disabled={isSaving}
        onClick={() => {
          setTaking(false);
          void resolve(chosenDraft(merges, theirs, choose));
        }}
      >
        {isMixed ? "Save these choices" : "Keep mine"}
      </Button>
    </AlertPanel>
  );
}
