"use client";

import { Code2, LayoutList } from "lucide-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { blocksOf } from "@/components/content/outline/blocks";
import { readSetting, saveSetting, watchSettings } from "@/lib/client/browser-settings";
import { cn } from "@/lib/utils/cn";

export type OutlineView = "cards" | "source";

const NAME = "outline-view";

/** Cards shown at most: more would block the page. */
const MAX_CARDS = 300;

type Shown = {
  view: OutlineView;
  setView: (view: OutlineView) => void;
  /** True if the outline has too many sections for cards. */
  isTooLong: boolean;
};

/**
 * How the user last looked at an outline in this browser; before that, cards for one with sections and the Markdown for one
 * that is yet to be written. It does not change while the user types the first heading.
 */
export function useOutlineView(outline: string): Shown {
  const count = useMemo(() => blocksOf(outline).blocks.length, [outline]);
  const [first] = useState<OutlineView>(count > 0 ? "cards" : "source");
  const isTooLong = count > MAX_CARDS;
  const chosen = useSyncExternalStore(
    watchSettings,
    () => readSetting(NAME),
    () => null,
  );
  const wanted = chosen === "cards" || chosen === "source" ? chosen : first;
  return { view: isTooLong ? "source" : wanted, setView: (next) => saveSetting(NAME, next), isTooLong };
}

const VIEWS = [
  { view: "cards", label: "Cards", icon: LayoutList },
  { view: "source", label: "Markdown", icon: Code2 },
] as const;

/** Switches between the outline's cards and its Markdown. */
export function OutlineViews({ view, setView, isTooLong }: Shown) {
  return (
    <fieldset className="flex flex-wrap items-center gap-1">
      <legend className="sr-only">Show the outline as</legend>
      {VIEWS.map(({ view: each, label, icon: Icon }) => (
        <button
          key={each}
          type="button"
          aria-pressed={view === each}
          disabled={each === "cards" && isTooLong}
          title={`${label} (Ctrl+/)`}
          onClick={() => setView(each)}
          className={cn(
            "flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-muted-foreground text-sm hover:bg-hover hover:text-foreground disabled:pointer-events-none disabled:opacity-50 max-md:h-11",
            view === each && "bg-accent text-accent-foreground",
          )}
        >
          <Icon aria-hidden="true" className="size-4" />
          {label}
        </button>
      ))}
      {isTooLong ? (
        <p className="px-1 text-muted-foreground text-sm">Up to {MAX_CARDS} sections show as cards.</p>
      ) : null}
    </fieldset>
  );
}
