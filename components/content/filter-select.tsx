"use client";

import { ChevronDown } from "lucide-react";
import type { FilterOption } from "@/components/content/filter-select-panel";
import { lazyPopup } from "@/components/shared/lazy-popup";

const Listbox = lazyPopup("listbox", () =>
  import("@/components/content/filter-select-panel").then((module) => module.FilterSelectPanel),
);

/** A select of the library's filter bar, loaded separately so that the rows appear sooner. */
export function FilterSelect({
  label,
  value,
  options,
  onValueChange,
}: {
  label: string;
  value: string;
  options: FilterOption[];
  onValueChange: (value: string) => void;
}) {
  return (
    <Listbox
      value={value}
      options={options}
      onValueChange={onValueChange}
      trigger={
        // Styled like SelectTrigger in components/ui/select.tsx, which would load Radix.
        <button
          type="button"
          aria-label={label}
          className="flex h-(--control) w-full items-center justify-between gap-2 rounded-md border border-input bg-card px-3 text-left text-foreground transition-colors hover:border-muted-foreground max-md:text-md"
        >
          <span className="pointer-events-none truncate">
            {options.find((option) => option.value === value)?.label}
          </span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        </button>
      }
    />
  );
}
