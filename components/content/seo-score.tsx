"use client";

import { Check, CircleAlert, CircleHelp, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Judgement } from "@/lib/features/content/seo/judge";
import type { Place } from "@/lib/features/content/seo/material";
import type { Review } from "@/lib/features/content/seo/review";
import type { Mark } from "@/lib/features/content/seo/rule";
import type { RuleId } from "@/lib/features/content/seo/rules";
import { cn } from "@/lib/utils/cn";

/** What can be done with a place in the text: look at it, or ask the AI to mend it. */
export type GoTo = (place: Place, instruction?: string) => void;

/** How the SEO rules judge the text, the most points to be won first. `review` is null until there is one. */
export function SeoScore({ review, onGoTo }: { review: Review | null; onGoTo: GoTo }) {
  return (
    <section aria-labelledby="seo-score" className="mt-8">
      <h2 id="seo-score" className="mb-3 font-medium text-md">
        SEO score
      </h2>
      {review === null ? (
        <p role="status" className="text-muted-foreground">
          The rules are reading your text…
        </p>
      ) : "problem" in review ? (
        <p role="status" className="text-muted-foreground">
          {review.problem}
        </p>
      ) : (
        <Report {...review.report} onGoTo={onGoTo} />
      )}
    </section>
  );
}

function Report({
  score,
  judgements,
  hasForms,
  onGoTo,
}: {
  score: number | null;
  judgements: Judgement[];
  hasForms: boolean;
  onGoTo: GoTo;
}) {
  const toMend = judgements
    .filter(({ mark }) => mark === "poor" || mark === "fair")
    .toSorted((a, b) => b.points - b.reached - (a.points - a.reached));
  const [reached, possible] = judgements
    .filter(({ mark }) => mark !== "unknown")
    .reduce(([got, of], each) => [got + each.reached, of + each.points], [0, 0]);
  return (
    <>
      <Card className="p-5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium text-2xl tabular-nums">{score ?? "–"}</span>
          <span className="text-muted-foreground">of 100</span>
        </p>
        <div aria-hidden="true" className="mt-2 h-1.5 overflow-hidden rounded-full bg-muted">
          <div className={cn("h-full rounded-full", barOf(score ?? 0))} style={{ width: `${score ?? 0}%` }} />
        </div>
        <p className="mt-2 text-muted-foreground text-sm">
          {reached} of {possible} points. Rules that do not apply to this text are left out.
          {hasForms ? null : " The focus keyword is compared word by word: other forms of its words do not count."}
        </p>
      </Card>
      <Group title="To mend" judgements={toMend} onGoTo={onGoTo} isOpen empty="There is nothing to mend." />
      <Group title="Good" judgements={judgements.filter(({ mark }) => mark === "good")} onGoTo={onGoTo} />
      <Group title="Not judged" judgements={judgements.filter(({ mark }) => mark === "unknown")} onGoTo={onGoTo} />
    </>
  );
}

function barOf(score: number): string {
  if (score >= 70) return "bg-success";
  return score >= 40 ? "bg-warning" : "bg-destructive";
}

function Group({
  title,
  judgements,
  onGoTo,
  isOpen = false,
  empty,
}: {
  title: string;
  judgements: Judgement[];
  onGoTo: GoTo;
  isOpen?: boolean;
  empty?: string;
}) {
  if (judgements.length === 0) return empty ? <p className="mt-6 text-muted-foreground">{empty}</p> : null;
  return (
    <details open={isOpen} className="group mt-6">
      <summary className="w-fit cursor-pointer rounded-xs font-medium max-md:py-2">
        {title} <span className="font-normal text-muted-foreground tabular-nums">{judgements.length}</span>
      </summary>
      <ul className="mt-2 divide-y border-y">
        {judgements.map((judgement) => (
          <Row key={judgement.rule} judgement={judgement} onGoTo={onGoTo} />
        ))}
      </ul>
    </details>
  );
}

const SIGNS: Record<Mark, { icon: ReactNode; word: string }> = {
  good: { icon: <Check aria-hidden="true" className="text-success" />, word: "Good" },
  fair: { icon: <CircleAlert aria-hidden="true" className="text-warning" />, word: "Nearly right" },
  poor: { icon: <CircleX aria-hidden="true" className="text-destructive" />, word: "Missing" },
  unknown: { icon: <CircleHelp aria-hidden="true" className="text-muted-foreground" />, word: "Not judged" },
};

/** Places of a finding that have a button. */
const MOST_PLACES = 5;

function Row({ judgement, onGoTo }: { judgement: Judgement; onGoTo: GoTo }) {
  const { rule, name, why, mark, points, reached, what, mend, places } = judgement;
  const { icon, word } = SIGNS[mark];
  const [first] = places;
  const instruction = first && mend ? INSTRUCTIONS[rule] : undefined;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 py-3 [&>svg]:mt-0.5 [&>svg]:size-4">
      {icon}
      <div className="min-w-0 wrap-anywhere">
        <h3 className="font-medium">
          {name}
          <span className="sr-only">: {word}</span>
        </h3>
        <p>{what}</p>
        {mark === "unknown" ? null : <p className="text-muted-foreground text-sm">{mend ? `${mend} ${why}` : why}</p>}
        {places.length > 0 ? (
          <div className="-ms-2.5 mt-1 flex flex-wrap">
            {places.slice(0, MOST_PLACES).map((place, index) => (
              <Button key={`${place.from} ${place.to}`} variant="ghost" size="sm" onClick={() => onGoTo(place)}>
                {places.length === 1 ? "Show in the text" : `Show place ${index + 1}`}
              </Button>
            ))}
            {instruction && first ? (
              <Button variant="ghost" size="sm" onClick={() => onGoTo(first, instruction)}>
                Mend with AI
              </Button>
            ) : null}
          </div>
        ) : null}
        {places.length > MOST_PLACES ? (
          <p className="text-muted-foreground text-sm">
            The first {MOST_PLACES} of {places.length.toLocaleString("en-US")} places.
          </p>
        ) : null}
      </div>
      <p className="whitespace-nowrap text-muted-foreground text-sm tabular-nums">
        {mark === "unknown" ? `${points} ${points === 1 ? "point" : "points"}` : `${reached} of ${points}`}
      </p>
    </li>
  );
}

/** What the AI is asked to do at the first place, where a call makes sense. */
const INSTRUCTIONS: Partial<Record<RuleId, string>> = {
  "keyword-in-first-paragraph": "Name the focus keyword in this paragraph, where it fits.",
  "paragraph-length": "Divide this into shorter paragraphs, and keep every fact.",
  "sentence-length": "Divide this into shorter sentences, and keep every fact.",
  "reading-ease": "Say this in shorter words and sentences, and keep every fact.",
  "passive-voice": "Say this in the active voice, and keep every fact.",
  "heading-distance": "Put a heading where a new thought begins, and keep the text.",
  "keyword-density": "Replace some of the repeated words by others for the same thing.",
};
