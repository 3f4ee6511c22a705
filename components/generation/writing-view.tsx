import { memo } from "react";
import { Caret } from "@/components/shared/caret";
import { Markdown } from "@/components/shared/markdown";
import { splitLead } from "@/lib/ai/prompts/lead";
import type { Writing } from "@/lib/features/generation/client/streams";
import { cn } from "@/lib/utils/cn";

/** The text as the AI writes it, as far apart and as large as the Preview shows it, with a caret at its end. */
export function WritingView({ writing }: { writing: Writing }) {
  const last = writing.sections.length - 1;
  return (
    <>
      {last < 0 ? (
        <p className="text-muted-foreground">
          Thinking about it
          <Caret />
        </p>
      ) : null}
      {writing.sections.map((section, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections are only appended.
        <Section key={index} {...section} isFirst={writing.index === last && index === 0} isLast={index === last} />
      ))}
    </>
  );
}

/** The caret stands behind the last word, not on a line of its own. Words in a line have no margin, but may begin with a block. */
const CARET_BEHIND =
  "[&>div]:inline [&>div>p:last-child]:inline [&>div>*+p:last-child]:before:block [&>div>*+p:last-child]:before:h-[var(--prose-gap,1em)]";

/** Memoised: what arrives is rendered again in the last section alone. The post's lead stands before its first heading. */
const Section = memo(function Section({
  heading,
  text: written,
  isFirst,
  isLast,
}: {
  heading: string;
  text: string;
  isFirst: boolean;
  isLast: boolean;
}) {
  const { lead, text } = isFirst ? splitLead(written) : { lead: "", text: written };
  return (
    <section className={heading && !lead ? "not-first:mt-10" : "not-first:mt-[var(--prose-gap,1em)]"}>
      {lead ? (
        <div dir="auto" className="mb-10">
          <Markdown text={lead} pending={lead} renderProblem={() => lead} />
        </div>
      ) : null}
      {heading ? (
        <h2 dir="auto" className="font-medium text-xl max-md:text-lg">
          {heading}
        </h2>
      ) : null}
      <div dir="auto" className={cn(heading && "mt-[var(--prose-gap,1em)]", isLast && CARET_BEHIND)}>
        <Markdown text={text} pending={text} renderProblem={() => text} />
        {isLast ? <Caret /> : null}
      </div>
    </section>
  );
});
