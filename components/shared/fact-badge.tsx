import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

/** A plain outlined tag such as "Outline" or "Title Only". */
export function FactBadge({ children }: { children: ReactNode }) {
  return <Badge variant="plain">{children}</Badge>;
}
