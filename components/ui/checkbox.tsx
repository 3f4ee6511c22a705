"use client";

import { CheckIcon, MinusIcon } from "lucide-react";
import { Checkbox as CheckboxPrimitive } from "radix-ui";
import type * as React from "react";
import { cn } from "@/lib/utils/cn";

/** 16 px (20 on phones) with a target of 40 around it; `checked="indeterminate"` shows a dash. */
function Checkbox({ className, ...props }: React.ComponentProps<typeof CheckboxPrimitive.Root>) {
  return (
    <CheckboxPrimitive.Root
      data-slot="checkbox"
      className={cn(
        "group relative inline-grid size-4 align-middle shrink-0 place-items-center rounded-xs border border-input bg-card before:absolute before:-inset-3 hover:border-muted-foreground max-md:size-5",
        "data-[state=checked]:border-link data-[state=indeterminate]:border-link data-[state=checked]:bg-primary data-[state=indeterminate]:bg-primary",
        "disabled:cursor-not-allowed disabled:border-border-strong disabled:bg-muted",
        "disabled:data-[state=checked]:border-border-strong disabled:data-[state=checked]:bg-muted disabled:data-[state=indeterminate]:border-border-strong disabled:data-[state=indeterminate]:bg-muted",
        className,
      )}
      {...props}
    >
      <CheckboxPrimitive.Indicator
        data-slot="checkbox-indicator"
        className="text-primary-foreground group-disabled:text-muted-foreground"
      >
        <CheckIcon aria-hidden="true" strokeWidth={2.5} className="size-3 group-data-[state=indeterminate]:hidden" />
        <MinusIcon
          aria-hidden="true"
          strokeWidth={2.5}
          className="hidden size-3 group-data-[state=indeterminate]:block"
        />
      </CheckboxPrimitive.Indicator>
    </CheckboxPrimitive.Root>
  );
}

export { Checkbox };
