"use client";

import { Tabs as TabsPrimitive } from "radix-ui";
import type * as React from "react";
import { cn } from "@/lib/utils/cn";

function Tabs({ ...props }: React.ComponentProps<typeof TabsPrimitive.Root>) {
  return <TabsPrimitive.Root data-slot="tabs" {...props} />;
}

function TabsList({ className, ...props }: React.ComponentProps<typeof TabsPrimitive.List>) {
  return (
    <TabsPrimitive.List
      data-slot="tabs-list"
      className={cn(
        "flex gap-2 overflow-x-auto md:overflow-visible [&>:first-child]:-ml-2 shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none]",
        className,
      )}
      {...props}
    />
  );
}

/** Underlined while its tab is open. */
function TabsTrigger({ className, ...props }: React.ComponentProps<typeof TabsPrimitive.Trigger>) {
  return (
    <TabsPrimitive.Trigger
      data-slot="tabs-trigger"
      // Radix focuses a pressed tab by script, for which browsers draw the frame that is meant for the keyboard.
      onPointerDown={({ currentTarget }) => currentTarget.setAttribute("data-pointed", "")}
      onKeyDown={({ currentTarget }) => currentTarget.removeAttribute("data-pointed")}
      onBlur={({ currentTarget }) => currentTarget.removeAttribute("data-pointed")}
      className={cn(
        "relative inline-flex h-10 shrink-0 items-center gap-2 whitespace-nowrap rounded-t-xs px-2 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-pointed:outline-none disabled:cursor-not-allowed disabled:hover:text-muted-foreground max-md:h-11",
        "data-[state=active]:text-foreground data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:bg-link [&_svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}

function TabsContent({ className, ...props }: React.ComponentProps<typeof TabsPrimitive.Content>) {
  return <TabsPrimitive.Content data-slot="tabs-content" className={className} {...props} />;
}

export { Tabs, TabsContent, TabsList, TabsTrigger };
