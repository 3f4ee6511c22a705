"use client";

import { Progress as ProgressPrimitive } from "radix-ui";
import { cn } from "@/lib/utils/cn";

/** A bar from 0 to 100; `failed` is the part of it that ended badly, in percent too. */
export function Progress({
  value,
  failed = 0,
  label,
  className,
}: {
  value: number;
  failed?: number;
  label: string;
  className?: string;
}) {
  return (
    <ProgressPrimitive.Root
      value={value}
      aria-label={label}
      className={cn("flex h-1 w-full overflow-hidden rounded-xs bg-accent", className)}
    >
      <div className="h-full bg-link transition-[width]" style={{ width: `${value - failed}%` }} />
      <div className="h-full bg-destructive transition-[width]" style={{ width: `${failed}%` }} />
    </ProgressPrimitive.Root>
  );
}
