"use client";

import { Tabs as TabsPrimitive } from "radix-ui";
import type { ComponentProps, KeyboardEvent, MouseEvent } from "react";
import { cn } from "@/lib/utils/cn";

export const Tabs = TabsPrimitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof TabsPrimitive.List>) {
  return (
    <TabsPrimitive.List
      className={cn(
        "flex gap-2 overflow-x-auto md:overflow-visible [&>:first-child]:-ml-2 shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none]",
        className,
      )}
      {...props}
    />
  );
}

/** A word with a line under it while it is open. */
export function TabsTrigger({ className, ...props }: ComponentProps<typeof TabsPrimitive.Trigger>) {
  return (
    <TabsPrimitive.Trigger
      className={cn(
        "relative inline-flex h-10 shrink-0 items-center gap-2 whitespace-nowrap rounded-t-xs px-2 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:hover:text-muted-foreground max-md:h-11",
        "data-[state=active]:font-medium data-[state=active]:text-foreground data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:bg-link [&_svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}

/** A trigger that is a link to the tab's own address for as long as no script is there. */
export function TabsLink({
  href,
  children,
  ...props
}: Omit<ComponentProps<typeof TabsTrigger>, "asChild" | "type"> & { href: string }) {
  return (
    // A link has no type; Radix would call it a button.
    <TabsTrigger {...props} asChild type={undefined}>
      <a href={href} draggable={false} onClick={stay} onKeyDown={stayOnSpace}>
        {children}
      </a>
    </TabsTrigger>
  );
}

/** A click opens the tab in place; one that asks for a window of its own gets it. */
function stay(event: MouseEvent): void {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault();
}

/** It opens the tab and would scroll the page, which it does on links. */
function stayOnSpace(event: KeyboardEvent): void {
  if (event.key === " ") event.preventDefault();
}

export function TabsContent({ className, ...props }: ComponentProps<typeof TabsPrimitive.Content>) {
  return <TabsPrimitive.Content className={className} {...props} />;
}
