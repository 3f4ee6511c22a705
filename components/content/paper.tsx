import type { ReactNode } from "react";
import { cn } from "@/lib/utils/cn";

/** Classes of a text field on the paper, which grows with its text. */
export const paperText =
  "field-sizing-content block w-full resize-none rounded-xs bg-transparent font-serif supports-[field-sizing:content]:overflow-hidden text-paper-foreground text-read outline-offset-12 max-md:outline-offset-8";

/** The sheet for writing and reading: a column of about 68 characters. */
export function Paper({
  children,
  head,
  bar,
  foot,
}: {
  children: ReactNode;
  head?: ReactNode;
  /** Stays in sight above a long text. */
  bar?: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <div className="rounded-md border bg-paper text-paper-foreground max-md:-mx-4 max-md:rounded-none max-md:border-x-0 max-md:border-t-0 focus-mode:border-0">
      {head ? <div className="border-b px-4 py-2 focus-mode:hidden">{head}</div> : null}
      {bar ? (
        <div className={cn("editor-bar border-b bg-paper focus-mode:border-transparent", !head && "rounded-t-md")}>
          {bar}
        </div>
      ) : null}
      <div className="px-6 pt-14 pb-(--paper-end) max-md:px-4 max-md:pt-6">
        {/* Paragraphs stand as far apart as in the editor, which shows the blank line between them. */}
        <div className="mx-auto max-w-[620px] font-serif text-read [--prose-gap:var(--text-read--line-height)]">
          {children}
        </div>
      </div>
      {foot}
    </div>
  );
}

/** The line below the sheet: figures of its text. */
export function PaperFoot({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 border-t px-4 py-2 text-muted-foreground text-sm tabular-nums focus-mode:hidden">
      {children}
    </div>
  );
}
