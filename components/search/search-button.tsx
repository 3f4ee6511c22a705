"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useShortcut } from "@/components/shared/use-shortcut";

/** Loaded on first use. */
const Palette = dynamic(() => import("@/components/search/palette").then((module) => module.Palette), { ssr: false });

/** Opens the search palette; so does Ctrl+K or Cmd+K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);

  function show(open: boolean) {
    setLoaded(true);
    setOpen(open);
  }

  useShortcut("k", () => show(!isOpen));

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => show(true)}
        onPointerEnter={() => setLoaded(true)}
        className="ml-auto flex h-7 shrink-0 items-center gap-2 rounded-sm border border-border-strong bg-card pr-1 pl-2 text-muted-foreground text-sm hover:text-foreground max-md:-mr-3.5 max-md:size-11 max-md:justify-center max-md:border-0 max-md:bg-transparent max-md:p-0"
      >
        <Search aria-hidden="true" strokeWidth={1.75} className="size-4" />
        <span className="max-md:sr-only">Search or jump to</span>
        <kbd className="rounded-xs bg-muted px-1.5 font-sans text-xs max-md:hidden">Ctrl K</kbd>
      </button>
      {isLoaded ? <Palette open={isOpen} onOpenChange={show} /> : null}
    </>
  );
}
