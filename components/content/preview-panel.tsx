"use client";

import dynamic from "next/dynamic";
import type { RefObject } from "react";
import { LossList } from "@/components/content/loss-list";
import { Paper } from "@/components/content/paper";
import { Caret } from "@/components/shared/caret";
import { Notice } from "@/components/shared/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { Loss } from "@/lib/markdown/losses";
import { isBlank } from "@/lib/utils/text";

/** Loaded when the preview is first opened. */
const Markdown = dynamic(() => import("@/components/shared/markdown").then((module) => module.Markdown), {
  ssr: false,
  loading: () => <MarkdownPlaceholder />,
});

/** Title and body as readers will see them, and above them what they will not see. */
export function PreviewPanel({
  title,
  body,
  losses,
  lossesHeading,
  onGoTo,
}: {
  title: string;
  body: string;
  losses: Loss[];
  lossesHeading: RefObject<HTMLHeadingElement | null>;
  /** Opens the text at this place. */
  onGoTo: (position: number) => void;
}) {
  return (
    <Paper head={losses.length > 0 ? <LossList losses={losses} heading={lossesHeading} onGoTo={onGoTo} /> : null}>
      <h2
        dir="auto"
        className="mb-6 font-medium text-2xl tracking-[-0.016em] [overflow-wrap:anywhere] max-md:mb-4 max-md:text-xl"
      >
        {title}
      </h2>
      {isBlank(body) ? (
        <p className="text-muted-foreground">
          There is no body to show yet
          <Caret />
        </p>
      ) : (
        <RenderedText title={title} text={body} />
      )}
    </Paper>
  );
}

/** A text as readers will see it; that of a post stands under its title. */
export function RenderedText({ text, title }: { text: string; title?: string }) {
  return (
    <Markdown
      text={text}
      title={title}
      pending={<MarkdownPlaceholder />}
      renderProblem={(problem) => <NoPreview problem={problem} />}
    />
  );
}

function NoPreview({ problem }: { problem: string }) {
  return (
    <Notice variant="warning" title="There is no preview of this text" live className="font-sans">
      {problem}
    </Notice>
  );
}

function MarkdownPlaceholder() {
  return (
    <div role="status" className="grid min-h-[400px] content-start gap-3.5">
      <span className="sr-only">The preview is loading</span>
      {["w-full", "w-11/12", "w-4/5"].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  );
}
