import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

/** A plain outlined tag such as "Outline" or "Title Only". */
export function FactBadge({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <Badge variant="plain" className={className}>
      {children}
    </Badge>
  );
}
