"use client";

import { useDeferredValue } from "react";
import { Card } from "@/components/ui/card";
import { countWords, slugOf, snippet, titleDensity } from "@/lib/features/content/rules";
import { cn } from "@/lib/utils/cn";

/** Figures of the text as it is on the screen, and how a search engine may show it. */
export function SeoPanel(props: { title: string; body: string; permalink: string | null }) {
  const { permalink } = props;
  const title = useDeferredValue(props.title);
  const body = useDeferredValue(props.body);
  const shown = snippet(body);
  return (
    <div className="max-md:pt-6">
      <Card className="grid md:grid-cols-2 md:divide-x max-md:divide-y">
        <dl className="px-5 py-4">
          <dt className="text-muted-foreground text-sm">Word count</dt>
          <dd className="text-xl tabular-nums">{countWords(body).toLocaleString("en-US")}</dd>
        </dl>
        <dl className="px-5 py-4">
          <dt className="text-muted-foreground text-sm">Keyword density</dt>
          <dd>
            <span className="block text-xl tabular-nums">{titleDensity(title, body)}%</span>
            <span className="text-muted-foreground text-sm">of the title phrase</span>
          </dd>
        </dl>
      </Card>
      <h2 className="mt-8 mb-3 font-medium text-md">Snippet preview</h2>
      <Card className="max-w-[640px] p-5 [overflow-wrap:anywhere]">
        <p className="text-muted-foreground text-sm">
          {hostOf(permalink)} › <bdi>{slugOf(title)}</bdi>
        </p>
        <p dir="auto" className="mt-0.5 mb-1 text-info text-lg">
          {title}
        </p>
        {/* The dots are drawn, not written: what is cut off goes on. */}
        <p dir="auto" className={cn("text-muted-foreground", shown.length < body.length && "after:content-['…']")}>
          {shown || "The first 160 characters of the body stand here."}
        </p>
      </Card>
    </div>
  );
}

function hostOf(permalink: string | null): string {
  return permalink && URL.canParse(permalink) ? new URL(permalink).host : "your site";
}
