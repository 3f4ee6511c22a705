"use client";

import { Bookmark } from "lucide-react";
import type { Target } from "@/components/instructions/put-into-field";
import { lazyPopup } from "@/components/shared/lazy-popup";
import { Button } from "@/components/ui/button";

const Popover = lazyPopup("dialog", () =>
  import("@/components/instructions/instructions-popover").then((module) => module.InstructionsPopover),
);

/** A popover beside the label of a field for instructions to the AI: puts a saved one into it, and saves what was typed. */
export function SavedInstructions(target: Target) {
  return (
    <Popover
      {...target}
      trigger={
        <Button variant="ghost" size="sm" className="-my-1 -mr-2.5 self-end max-md:-mt-2.5 max-md:-mb-1.5">
          <Bookmark aria-hidden="true" />
          Saved instructions
        </Button>
      }
    />
  );
}
