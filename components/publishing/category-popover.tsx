"use client";

import type { CategoryChoiceProps } from "@/components/publishing/category-choice";
import { lazyPopup } from "@/components/shared/lazy-popup";
import { Button } from "@/components/ui/button";

const Popover = lazyPopup("dialog", () =>
  import("@/components/publishing/category-popover-panel").then((module) => module.CategoryPopoverPanel),
);

/** "Publish with Category". */
export function CategoryPopover({
  disabled,
  pending,
  ...choice
}: CategoryChoiceProps & { disabled: boolean; pending: boolean }) {
  return (
    <Popover
      {...choice}
      trigger={
        <Button variant="outline" size="sm" disabled={disabled} pending={pending}>
          Publish with Category
        </Button>
      }
    />
  );
}
