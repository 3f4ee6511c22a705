import type * as React from "react";
import { cn } from "@/lib/utils/cn";

function Textarea({ className, ...props }: React.ComponentProps<"textarea">) {
  return (
    <textarea
      dir="auto"
      data-slot="textarea"
      className={cn(
        "block min-h-22 w-full resize-y rounded-md border border-input bg-card px-3 py-2 text-foreground transition-colors hover:border-muted-foreground aria-invalid:border-destructive disabled:cursor-not-allowed disabled:border-border-strong disabled:bg-muted disabled:text-muted-foreground max-md:text-md",
        className,
      )}
      {...props}
    />
  );
}

export { Textarea };
