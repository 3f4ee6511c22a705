import { cn } from "@/lib/utils/cn";

/** A pulsing placeholder; give it the final size of what it stands for. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn("animate-pulse rounded-xs bg-accent", className)} />;
}
