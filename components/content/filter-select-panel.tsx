"use client";

import { Select as SelectPrimitive } from "radix-ui";
import type { ReactNode } from "react";
import type { PopupProps } from "@/components/shared/lazy-popup";
import { Select, SelectContent, SelectItem } from "@/components/ui/select";

export type FilterOption = { value: string; label: ReactNode };

/** Loaded when components/content/filter-select.tsx is first opened. */
export function FilterSelectPanel({
  trigger,
  open,
  onOpenChange,
  value,
  options,
  onValueChange,
}: PopupProps & { value: string; options: FilterOption[]; onValueChange: (value: string) => void }) {
  return (
    <Select open={open} onOpenChange={onOpenChange} value={value} onValueChange={onValueChange}>
      <SelectPrimitive.Trigger asChild>{trigger}</SelectPrimitive.Trigger>
      <SelectContent>
        {options.map((option) => (
          <SelectItem key={option.value} value={option.value}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
