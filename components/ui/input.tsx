import type * as React from "react";
import { cn } from "@/lib/utils/cn";

/** 16 px on phones: browsers zoom into smaller fields. */
function Input({ className, type = "text", ...props }: React.ComponentProps<"input">) {
  return (
    <input
      type={type}
      dir="auto"
      data-slot="input"
      className={cn(
        "h-(--control) w-full min-w-0 rounded-md border border-input bg-card px-3 text-foreground transition-colors hover:border-muted-foreground aria-invalid:border-destructive disabled:cursor-not-allowed disabled:border-border-strong disabled:bg-muted disabled:text-muted-foreground max-md:text-md",
        className,
      )}
      {...props}
    />
  );
}

export { Input };
