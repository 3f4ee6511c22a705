import type { ComponentProps } from "react";
import { cn } from "@/lib/utils/cn";

/** For a thing that can be picked up or opened; a hairline, no shadow. */
export function Card({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("rounded-md border bg-card text-card-foreground", className)} {...props} />;
}

/** Title at the left, actions at the right. */
export function CardHeader({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex min-h-13 flex-wrap items-center gap-3 px-4 py-2", className)} {...props} />;
}

export function CardTitle({ className, ...props }: ComponentProps<"h2">) {
  return <h2 className={cn("min-w-0 flex-1 font-medium", className)} {...props} />;
}
