"use client";

import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { EmptyPanel, SidePanel } from "@/components/projects/side-panel";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { ProjectDetail } from "@/lib/features/projects/schema";

const StyleDialog = lazyDialog(() => import("@/components/projects/style-dialog").then((module) => module.StyleDialog));

/** How the AI writes the project's texts, or a button to say so. */
export function StylePanel({ project }: { project: ProjectDetail }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  const { tone, language, words, instructions } = project.writing;
  const facts = [
    ["Tone", tone],
    ["Language", language],
    ["Length", words && `About ${words.toLocaleString("en-US")} words`],
    ["Instructions", instructions],
  ].filter(([, value]) => value);
  const hasStyle = facts.length > 0;

  return (
    <SidePanel id="style-title" title="Writing Style" onEdit={hasStyle ? open : undefined}>
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
        <EmptyPanel icon={<SlidersHorizontal aria-hidden="true" />} action="Set Writing Style" onStart={open}>
          Tone, language and length are up to the AI. Say how the texts of this project should be.
        </EmptyPanel>
      )}
      <StyleDialog project={project} open={isOpen} onOpenChange={setOpen} />
    </SidePanel>
  );
}
