"use client";

import type { Root, RootContent } from "hast";
import ReactMarkdown from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";

const LOOK = [
  "[overflow-wrap:anywhere] [&>*+*]:mt-[1em] [&>*:first-child]:mt-0",
  "[&_:is(h1,h2)]:font-medium [&_:is(h1,h2)]:text-xl [&>:is(h1,h2)]:mt-10 [&_h3]:font-medium [&_h3]:text-lg [&>h3]:mt-8 [&_:is(h4,h5,h6)]:font-medium",
  "[&_a]:text-link [&_a]:underline [&_a]:underline-offset-3 [&_:is(b,strong)]:font-medium",
  "[&_ul]:list-disc [&_ol]:list-decimal [&_:is(ul,ol)]:ps-6 [&_li+li]:mt-1.5 [&_.contains-task-list]:list-none [&_.contains-task-list]:ps-0",
  "[&_blockquote]:border-s-2 [&_blockquote]:border-border-strong [&_blockquote]:ps-5 [&_blockquote]:italic",
  "[&_:is(code,pre)]:font-mono [&_:is(code,pre)]:text-base [&_code]:rounded-xs [&_code]:bg-muted [&_code]:px-1 [&_pre]:overflow-x-auto [&_pre]:rounded-md [&_pre]:bg-muted [&_pre]:p-4 [&_pre_code]:p-0",
  "[&_hr]:my-10 [&_img]:max-w-full [&_img]:rounded-md",
  "[&_table]:block [&_table]:overflow-x-auto [&_table]:text-md [&_:is(th,td)]:border [&_:is(th,td)]:px-3 [&_:is(th,td)]:py-1.5 [&_:is(th,td)]:text-start [&_th]:font-medium",
].join(" ");

/** Markdown (GFM) as sanitised HTML; what could run or break out is dropped. Links open beside the editor. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={LOOK}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize, ownDirections]}
        components={{
          a: ({ node: _, children, ...props }) => (
            <a {...props} target="_blank" rel="noreferrer">
              {children}
            </a>
          ),
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

const BLOCKS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table"]);

/** Each block runs in the direction of its own script: an Arabic text may quote an English one. */
function ownDirections() {
  return function mark(node: Root | RootContent): void {
    if (node.type === "element" && BLOCKS.has(node.tagName)) node.properties.dir = "auto";
    if ("children" in node) for (const child of node.children) mark(child);
  };
}
