"use client";

import { Pencil, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";
import type { ProjectDetail } from "@/lib/features/projects/schema";

const StyleDialog = lazyDialog(() => import("@/components/projects/style-dialog").then((module) => module.StyleDialog));

/** How the AI writes the project's texts, or a button to say so. */
export function StylePanel({ project }: { project: ProjectDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { tone, language, words, instructions } = project.writing;
  const facts = [
    ["Tone", tone],
    ["Language", language],
    ["Length", words && `About ${words.toLocaleString("en-US")} words`],
    ["Instructions", instructions],
  ].filter(([, value]) => value);
  const hasStyle = facts.length > 0;

  return (
    <section aria-labelledby="style-title" className="mt-8">
      <div className="mb-3 flex min-h-(--control) items-center justify-between gap-3">
        <h2 id="style-title" className="font-medium text-md tracking-[-0.006em]">
          Writing Style
        </h2>
        {hasStyle ? (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Edit writing style"
            className="max-md:-mr-3.5"
            onClick={() => setOpen(true)}
          >
            <Pencil aria-hidden="true" strokeWidth={1.75} />
          </Button>
        ) : null}
      </div>
      {hasStyle ? (
        <dl className="grid gap-3 rounded-md border bg-card p-5 max-md:p-4">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt className="text-muted-foreground text-sm">{name}</dt>
              <dd dir="auto" className="wrap-anywhere whitespace-pre-line">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <div className="grid justify-items-start gap-4 border-t pt-5">
          <p className="text-muted-foreground">
            Tone, language and length are up to the AI. Say how the texts of this project should be.
          </p>
          <Button variant="outline" onClick={() => setOpen(true)}>
            <SlidersHorizontal aria-hidden="true" />
            Set Writing Style
          </Button>
        </div>
      )}
      <StyleDialog project={project} open={isOpen} onOpenChange={setOpen} />
    </section>
  );
}
