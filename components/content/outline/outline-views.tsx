"use client";

import { Code2, LayoutList } from "lucide-react";
import { useSyncExternalStore } from "react";
import { readSetting, saveSetting, watchSettings } from "@/lib/client/browser-settings";
import { cn } from "@/lib/utils/cn";

export type OutlineView = "cards" | "source";

const NAME = "outline-view";

/** How the person last looked at an outline in this browser. */
export function useOutlineView(): [OutlineView, (view: OutlineView) => void] {
  const view = useSyncExternalStore(
    watchSettings,
    () => (readSetting(NAME) === "cards" ? "cards" : "source"),
    () => "source" as const,
  );
  return [view, (next) => saveSetting(NAME, next)];
}

const VIEWS = [
  { view: "source", label: "Markdown", icon: Code2 },
  { view: "cards", label: "Cards", icon: LayoutList },
] as const;

/** Switches between the outline's Markdown and its cards. */
export function OutlineViews({ view, onChange }: { view: OutlineView; onChange: (view: OutlineView) => void }) {
  return (
    <fieldset className="flex items-center gap-1 px-3 py-1">
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
