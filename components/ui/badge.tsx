import { cva, type VariantProps } from "class-variance-authority";
import type * as React from "react";
import { cn } from "@/lib/utils/cn";

/** Tinted from the text colour, so that it fits any background. */
const badgeVariants = cva(
  "inline-flex h-5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-xs px-1.5 text-xs [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        neutral: "bg-foreground/5 text-muted-foreground",
        plain:
          "px-[7px] text-muted-foreground shadow-[inset_0_0_0_1px_color-mix(in_oklab,var(--foreground)_13%,transparent)]",
        count: "min-w-6 justify-center bg-foreground/5 text-muted-foreground tabular-nums",
        success: "bg-[color-mix(in_oklab,var(--success)_var(--tint),transparent)] text-success",
        warning: "bg-[color-mix(in_oklab,var(--warning)_var(--tint),transparent)] text-warning",
        info: "bg-[color-mix(in_oklab,var(--info)_var(--tint),transparent)] text-info",
        destructive: "bg-[color-mix(in_oklab,var(--destructive)_var(--tint),transparent)] text-destructive",
      },
    },
    defaultVariants: { variant: "neutral" },
  },
);

function Badge({ className, variant, ...props }: React.ComponentProps<"span"> & VariantProps<typeof badgeVariants>) {
  return <span data-slot="badge" className={cn(badgeVariants({ variant }), className)} {...props} />;
}

export { Badge, badgeVariants };
