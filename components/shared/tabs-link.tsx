"use client";

import type { ComponentProps, KeyboardEvent, MouseEvent } from "react";
import { TabsTrigger } from "@/components/ui/tabs";

/** A tab that works as a link until scripts have loaded. */
export function TabsLink({
  href,
  children,
  ...props
}: Omit<ComponentProps<typeof TabsTrigger>, "asChild" | "type"> & { href: string }) {
  return (
    // Radix would set a button's type on the link.
    <TabsTrigger {...props} asChild type={undefined}>
      <a href={href} draggable={false} onClick={stayOnPage} onKeyDown={preventScroll}>
        {children}
      </a>
    </TabsTrigger>
  );
}

/** A plain click opens the tab in place; one with a modifier opens a new window. */
function stayOnPage(event: MouseEvent): void {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault();
}

/** On a link, Space would scroll the page. */
function preventScroll(event: KeyboardEvent): void {
  if (event.key === " ") event.preventDefault();
}
