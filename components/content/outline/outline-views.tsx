"use client";

import { Code2, LayoutList } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { blocksOf } from "@/components/content/outline/blocks";
import { readSetting, saveSetting, watchSettings } from "@/lib/client/browser-settings";
import { cn } from "@/lib/utils/cn";

export type OutlineView = "cards" | "source";

const NAME = "outline-view";

/**
 * How the person last looked at an outline in this browser; before that, cards for one with sections and the Markdown for one that
 * is yet to be written. It does not change under someone who types the first heading.
 */
export function useOutlineView(outline: string): [OutlineView, (view: OutlineView) => void] {
  const [first] = useState<OutlineView>(() => (blocksOf(outline).blocks.length > 0 ? "cards" : "source"));
  const chosen = useSyncExternalStore(
    watchSettings,
    () => readSetting(NAME),
    () => null,
  );
  return [chosen === "cards" || chosen === "source" ? chosen : first, (next) => saveSetting(NAME, next)];
}

const VIEWS = [
  { view: "cards", label: "Cards", icon: LayoutList },
  { view: "source", label: "Markdown", icon: Code2 },
] as const;

/** Switches between the outline's cards and its Markdown. */
export function OutlineViews({ view, onChange }: { view: OutlineView; onChange: (view: OutlineView) => void }) {
  return (
    <fieldset className="flex items-center gap-1">
      <legend className="sr-only">Show the outline as</legend>
      {VIEWS.map(({ view: each, label, icon: Icon }) => (
        <button
          key={each}
          type="button"
          aria-pressed={view === each}
          title={`${label} (Ctrl+/)`}
          onClick={() => onChange(each)}
          className={cn(
            "flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-muted-foreground text-sm hover:bg-hover hover:text-foreground max-md:h-11",
            view === each && "bg-accent text-accent-foreground",
          )}
        >
          <Icon aria-hidden="true" className="size-4" />
          {label}
        </button>
      ))}
    </fieldset>
  );
}
