import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

/** A plain outlined tag such as "Outline" or "Title Only"; on phones only the word. */
export function FactBadge({ children }: { children: ReactNode }) {
  return (
    <Badge variant="plain" className="max-md:px-0 max-md:shadow-none">
      {children}
    </Badge>
  );
}
