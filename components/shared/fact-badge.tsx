import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/lib/utils/cn";

/** A plain outlined tag such as "Outline" or "Title Only"; on phones only the word. */
export function FactBadge({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <Badge variant="plain" className={cn("max-md:px-0 max-md:shadow-none", className)}>
      {children}
    </Badge>
  );
}
