"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";

/** Comes when it is opened for the first time. */
const Palette = dynamic(() => import("@/components/search/palette").then((module) => module.Palette), { ssr: false });

/** Opens the search over everything; so does Ctrl+K or Cmd+K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);

  function show(open: boolean) {
    setWanted(true);
    setOpen(open);
  }

  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setWanted(true);
      setOpen((open) => !open);
    }
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => show(true)}
        onPointerEnter={() => setWanted(true)}
        className="ml-auto flex h-7 shrink-0 items-center gap-2 rounded-sm border border-border-strong bg-card pr-1 pl-2 text-muted-foreground text-sm hover:text-foreground max-md:-mr-3.5 max-md:size-11 max-md:justify-center max-md:border-0 max-md:bg-transparent max-md:p-0"
      >
        <Search aria-hidden="true" strokeWidth={1.75} className="size-4" />
        <span className="max-md:sr-only">Search or jump to</span>
        <kbd className="rounded-xs bg-muted px-1.5 font-sans text-xs max-md:hidden">Ctrl K</kbd>
      </button>
      {isWanted ? <Palette open={isOpen} onOpenChange={show} /> : null}
    </>
  );
}
