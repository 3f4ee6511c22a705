"use client";

import { Check } from "lucide-react";
import { DropdownMenu as MenuPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { LentTrigger } from "@/components/ui/lent-trigger";
import { cn } from "@/lib/utils/cn";

export const DropdownMenuRadioGroup = MenuPrimitive.RadioGroup;

/** Not modal: the page behind stays readable to everyone and does not jump when its scroll bar would go. */
export function DropdownMenuRoot({
  trigger,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.Root> & { trigger: HTMLElement }) {
  return (
    <MenuPrimitive.Root modal={false} {...props}>
      <MenuPrimitive.Trigger asChild>
        <LentTrigger element={trigger} />
      </MenuPrimitive.Trigger>
      {children}
    </MenuPrimitive.Root>
  );
}

const itemLook =
  "flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2 outline-none data-highlighted:bg-hover data-disabled:text-muted-foreground max-md:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground";

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof MenuPrimitive.Content>) {
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          "z-50 min-w-48 max-w-[calc(100vw-16px)] rounded-md bg-popover p-1 text-popover-foreground shadow-float",
          "data-[state=open]:animate-in data-[state=open]:fade-in-0",
          className,
        )}
        {...props}
      />
    </MenuPrimitive.Portal>
  );
}

export function DropdownMenuItem({
  className,
  variant = "default",
  ...props
}: ComponentProps<typeof MenuPrimitive.Item> & { variant?: "default" | "destructive" }) {
  return (
    <MenuPrimitive.Item
      className={cn(
        itemLook,
        variant === "destructive" && "text-destructive data-highlighted:bg-destructive-soft [&_svg]:text-destructive",
        className,
      )}
      {...props}
    />
  );
}

export function DropdownMenuRadioItem({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.RadioItem>) {
  return (
    <MenuPrimitive.RadioItem className={cn(itemLook, className)} {...props}>
      {children}
      <MenuPrimitive.ItemIndicator className="ml-auto">
        <Check aria-hidden="true" />
      </MenuPrimitive.ItemIndicator>
    </MenuPrimitive.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof MenuPrimitive.Label>) {
  return <MenuPrimitive.Label className={cn("px-2 py-1.5 text-muted-foreground text-xs", className)} {...props} />;
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof MenuPrimitive.Separator>) {
  return <MenuPrimitive.Separator className={cn("my-1 h-px bg-border", className)} {...props} />;
}
