"use client";

import { CategoryChoice, type CategoryChoiceProps } from "@/components/publishing/category-choice";
import { useFocusReturn } from "@/components/shared/focus-return";
import type { PopupProps } from "@/components/shared/lazy-popup";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";

/** Loaded when components/publishing/category-popover.tsx is first opened. */
export function CategoryPopoverPanel({ trigger, open, onOpenChange, ...choice }: PopupProps & CategoryChoiceProps) {
  const focusReturn = useFocusReturn();
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" {...focusReturn}>
        <CategoryChoice {...choice} onDone={() => onOpenChange(false)} />
      </PopoverContent>
    </Popover>
  );
}
