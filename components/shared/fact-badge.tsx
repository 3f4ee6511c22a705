import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

/** A fact about a thing, such as "Outline" or "Title Only": a hairline tag without colour; on phones the word alone. */
export function FactBadge({ children }: { children: ReactNode }) {
  return (
    <Badge variant="plain" className="max-md:px-0 max-md:shadow-none">
      {children}
    </Badge>
  );
}
