import { cn } from "@/lib/utils/cn";

/** A hairline that only the eye needs. */
export function Separator({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn("h-px w-full bg-border", className)} />;
}
