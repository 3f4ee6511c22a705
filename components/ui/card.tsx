import type * as React from "react";
import { cn } from "@/lib/utils/cn";

/** A surface for something that can be picked up or opened; a hairline, no shadow. */
function Card({ className, ...props }: React.ComponentProps<"div">) {
  return (
    <div data-slot="card" className={cn("rounded-md border bg-card text-card-foreground", className)} {...props} />
  );
}

/** Title on the left, actions on the right. */
function CardHeader({ className, ...props }: React.ComponentProps<"div">) {
  return (
    <div
      data-slot="card-header"
      className={cn("flex min-h-13 flex-wrap items-center gap-3 px-4 py-2", className)}
      {...props}
    />
  );
}

function CardTitle({ className, ...props }: React.ComponentProps<"h2">) {
  return <h2 data-slot="card-title" className={cn("min-w-0 flex-1 font-medium", className)} {...props} />;
}

export { Card, CardHeader, CardTitle };
