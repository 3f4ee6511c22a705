"use client";

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "@/components/ui/collapsible";

/** A collapsed group of rows. `total` may be more than are `shown`; `note` follows the count. */
export function FoldedGroup({
  label,
  shown,
  total,
  note,
  children,
}: {
  label: string;
  shown: number;
  total: number;
  note?: string | undefined;
  children: ReactNode;
}) {
  if (shown === 0) return null;
  const count = total > shown ? `showing ${shown} of ${total.toLocaleString("en-US")}` : String(shown);
  return (
    <Collapsible className="border-t">
      <CollapsibleTrigger className="group flex h-11 w-full items-center gap-2 px-4 text-left text-muted-foreground hover:text-foreground">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-data-[state=open]:rotate-90" />
        {label} <span className="tabular-nums">({note ? `${count}, ${note}` : count})</span>
      </CollapsibleTrigger>
      <CollapsibleContent>{children}</CollapsibleContent>
    </Collapsible>
  );
}
