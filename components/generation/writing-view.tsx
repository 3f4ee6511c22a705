import { Caret } from "@/components/shared/caret";
import type { Writing } from "@/lib/features/generation/client/streams";

/** The text as the AI writes it, with a caret at its end. */
export function WritingView({ writing }: { writing: Writing }) {
  const last = writing.sections.length - 1;
  return (
    <div className="min-h-[600px]">
      {last < 0 ? (
        <p className="text-muted-foreground">
          Thinking about it
          <Caret />
        </p>
      ) : null}
      {writing.sections.map(({ heading, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections are only appended.
        <section key={index} className="mb-8">
          {heading ? (
            <h2 dir="auto" className="mb-2 font-medium text-lg">
              {heading}
            </h2>
          ) : null}
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {text}
            {index === last ? <Caret /> : null}
          </p>
        </section>
      ))}
    </div>
  );
}
