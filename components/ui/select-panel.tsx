"use client";

import { Check } from "lucide-react";
import { Select as SelectPrimitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { LentTrigger } from "@/components/ui/lent-trigger";
import { cn } from "@/lib/utils/cn";

export function SelectRoot({
  trigger,
  children,
  ...props
}: ComponentProps<typeof SelectPrimitive.Root> & { trigger: HTMLElement }) {
  return (
    <SelectPrimitive.Root {...props}>
      <SelectPrimitive.Trigger asChild>
        <LentTrigger element={trigger} />
      </SelectPrimitive.Trigger>
      {children}
    </SelectPrimitive.Root>
  );
}

export function SelectContent({ className, children, ...props }: ComponentProps<typeof SelectPrimitive.Content>) {
  return (
    <SelectPrimitive.Portal>
      <SelectPrimitive.Content
        position="popper"
        sideOffset={4}
        className={cn(
          "z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[calc(100vw-16px)] overflow-hidden rounded-md bg-popover text-popover-foreground shadow-float",
          "data-[state=open]:animate-in data-[state=open]:fade-in-0",
          className,
        )}
        {...props}
      >
        <SelectPrimitive.Viewport className="p-1">{children}</SelectPrimitive.Viewport>
      </SelectPrimitive.Content>
    </SelectPrimitive.Portal>
  );
}

export function SelectSection({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <SelectPrimitive.Group className="not-first:mt-1 not-first:border-t not-first:pt-1">
      <SelectPrimitive.Label className="px-2 py-1 text-muted-foreground text-sm">{label}</SelectPrimitive.Label>
      {children}
    </SelectPrimitive.Group>
  );
}

export function SelectItem({ className, children, ...props }: ComponentProps<typeof SelectPrimitive.Item>) {
  return (
    <SelectPrimitive.Item
      className={cn(
        "relative flex min-h-8 cursor-default select-none items-center rounded-sm py-1 pr-8 pl-2 outline-none data-highlighted:bg-hover data-disabled:text-muted-foreground max-md:min-h-11",
        className,
      )}
      {...props}
    >
      <SelectPrimitive.ItemText>{children}</SelectPrimitive.ItemText>
      <SelectPrimitive.ItemIndicator className="absolute right-2">
        <Check aria-hidden="true" className="size-4 text-link" />
      </SelectPrimitive.ItemIndicator>
    </SelectPrimitive.Item>
  );
}
