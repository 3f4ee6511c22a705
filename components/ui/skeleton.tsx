import type * as React from "react";
import { cn } from "@/lib/utils/cn";

/** A pulsing placeholder; give it the size of what it stands for. */
function Skeleton({ className, ...props }: React.ComponentProps<"div">) {
  return (
    <div
      aria-hidden="true"
      data-slot="skeleton"
      className={cn("animate-pulse rounded-xs bg-accent", className)}
      {...props}
    />
  );
}

export { Skeleton };
