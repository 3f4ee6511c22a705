"use client";

import { Popover as PopoverPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { useFocusReturn } from "@/components/ui/focus-return";
import { LentTrigger } from "@/components/ui/lent-trigger";
import { cn } from "@/lib/utils/cn";

export function PopoverRoot({
  trigger,
  children,
  ...props
}: ComponentProps<typeof PopoverPrimitive.Root> & { trigger: HTMLElement }) {
  return (
    <PopoverPrimitive.Root {...props}>
      <PopoverPrimitive.Trigger asChild>
        <LentTrigger element={trigger} />
      </PopoverPrimitive.Trigger>
      {children}
    </PopoverPrimitive.Root>
  );
}

export function PopoverContent({ className, ...props }: ComponentProps<typeof PopoverPrimitive.Content>) {
  const focusReturn = useFocusReturn();
  return (
    <PopoverPrimitive.Portal>
      <PopoverPrimitive.Content
        {...focusReturn}
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          "z-50 grid w-72 grid-cols-[minmax(0,1fr)] max-w-[calc(100vw-16px)] gap-4 rounded-md bg-popover p-4 text-popover-foreground shadow-float outline-none",
          "data-[state=open]:animate-in data-[state=open]:fade-in-0",
          className,
        )}
        {...props}
      />
    </PopoverPrimitive.Portal>
  );
}
