"use client";

import type { Root } from "hast";
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { type ComponentProps, memo, type ReactNode, startTransition, useEffect, useRef, useState } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { Button } from "@/components/ui/button";
import { usePreview } from "@/lib/client/use-preview";

const PROSE_STYLES = [
  "[overflow-wrap:anywhere] [&>*+*]:mt-[var(--prose-gap,1em)] [&>*:first-child]:mt-0",
  "[&_:is(h1,h2)]:font-medium [&_:is(h1,h2)]:text-xl max-md:[&_:is(h1,h2)]:text-lg [&>:is(h1,h2)]:mt-10 [&_h3]:font-medium [&_h3]:text-lg max-md:[&_h3]:text-read [&>h3]:mt-8 [&_:is(h4,h5,h6)]:font-medium",
  "[&_a[href]]:text-link [&_a[href]]:underline [&_a[href]]:underline-offset-3 [&_:is(b,strong)]:font-medium",
  "[&_ul]:list-disc [&_ol]:list-decimal [&_:is(ul,ol)]:ps-6 [&_li+li]:mt-1.5 [&_.contains-task-list]:list-none [&_.contains-task-list]:ps-0",
  "[&_blockquote]:border-s-2 [&_blockquote]:border-border-strong [&_blockquote]:ps-5 [&_blockquote]:italic",
  "[&_kbd]:rounded-xs [&_kbd]:border [&_kbd]:px-1 [&_mark]:bg-warning-soft [&_mark]:text-inherit [&_:is(code,kbd,pre)]:font-mono [&_:is(code,kbd,pre)]:text-base [&_code]:rounded-xs [&_code]:bg-muted [&_code]:px-1 [&_pre]:overflow-x-auto [&_pre]:rounded-md [&_pre]:bg-muted [&_pre]:p-4 [&_pre_code]:p-0",
  "[&_hr]:my-10 [&_img]:max-w-full [&_img]:rounded-md",
  "[&_table]:block [&_table]:overflow-x-auto [&_table]:text-md [&_:is(th,td)]:border [&_:is(th,td)]:px-3 [&_:is(th,td)]:py-1.5 [&_:is(th,td)]:text-start [&_:is(th,td)]:wrap-break-word [&_th]:font-medium [&_caption]:mt-2 [&_caption]:caption-bottom [&_caption]:text-muted-foreground [&_caption]:text-sm",
].join(" ");

/**
 * Sanitised Markdown (GFM). Links open in a new window, beside the editor. A long text is parsed in a worker, with
 * `pending` shown meanwhile, and rendered in parts.
 */
export function Markdown({
  text,
  title,
  pending,
  renderProblem,
}: {
  text: string;
  /** Of a post: its text stands under it. */
  title?: string | undefined;
  pending: ReactNode;
  /** Renders the reason why the text cannot be shown. */
  renderProblem: (problem: string) => ReactNode;
}) {
  const preview = usePreview({ text, title });
  if (!preview) return pending;
  if ("problem" in preview) return renderProblem(preview.problem);
  return <Parts parts={preview.parts} />;
}

/** The parts shown so far and a button for the next: rendering thousands of elements at once would block the page. */
function Parts({ parts }: { parts: string[] }) {
  const [count, setCount] = useState(1);
  const container = useRef<HTMLDivElement>(null);
  const firstNew = useRef<number | null>(null);
  useEffect(() => {
    const index = firstNew.current;
    if (index === null || count === 1) return;
    firstNew.current = null;
    // Continue reading where the button was.
    const next = container.current?.children.item(index);
    if (next instanceof HTMLElement) {
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
    }
  }, [count]);

  function showMore() {
    firstNew.current = container.current?.childElementCount ?? null;
    startTransition(() => setCount(count + 1));
  }

  return (
    <>
      <div ref={container} className={PROSE_STYLES}>
        {parts.slice(0, count).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text.
          <Part key={index} part={part} />
        ))}
      </div>
      {count < parts.length ? (
        <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-2 border-t pt-4 font-sans text-base">
          <Button variant="outline" size="sm" onClick={showMore}>
            Show more
          </Button>
          <span className="text-muted-foreground text-sm">
            This text is long: part {count} of {parts.length} is shown.
          </span>
        </div>
      ) : null}
    </>
  );
}

const Part = memo(function Part({ part }: { part: string }) {
  return toJsxRuntime(JSON.parse(part) as Root, {
    Fragment,
    jsx,
    jsxs,
    components: { a: MarkdownLink, figure: Figure, hr: Rule },
  });
});

/** A picture with its caption, or what a player or card of another service is of; only the published post loads it. */
function Figure({ "data-embed": service, children }: ComponentProps<"figure"> & { "data-embed"?: string }) {
  if (service === undefined) return <figure className={CAPTION_STYLES}>{children}</figure>;
  return (
    <figure className="rounded-md border bg-muted px-5 py-4 font-sans text-base">
      <figcaption className="font-medium">{service} embed</figcaption>
      <p className="mt-1 text-muted-foreground text-sm">{children}</p>
    </figure>
  );
}

const CAPTION_STYLES = "[&>figcaption]:mt-2 [&>figcaption]:text-muted-foreground [&>figcaption]:text-sm";

/** A rule, or where lists of posts end the excerpt. */
function Rule({ "data-more": more }: { "data-more"?: string }) {
  if (more === undefined) return <hr />;
  return (
    <p className="flex items-center gap-3 font-sans text-muted-foreground text-sm before:flex-1 before:border-t before:border-dashed after:flex-1 after:border-t after:border-dashed">
      {more || "Read more"}
    </p>
  );
}

/** A link within the text, such as a footnote's, stays on the page. */
function MarkdownLink({ href, children, ...props }: ComponentProps<"a">) {
  const linkTarget = href?.startsWith("#") ? {} : { target: "_blank", rel: "noreferrer" };
  return (
    <a {...props} href={href} {...linkTarget}>
      {children}
    </a>
  );
}
