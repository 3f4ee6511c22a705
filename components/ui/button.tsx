import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type * as React from "react";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/utils/cn";

const buttonVariants = cva(
  [
    "relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap border border-transparent font-medium transition-colors",
    "[&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:stroke-[1.75] disabled:cursor-not-allowed aria-disabled:cursor-not-allowed",
  ],
  {
    variants: {
      variant: {
        default:
          "bg-primary text-primary-foreground hover:bg-primary-hover active:bg-primary-active disabled:bg-muted disabled:text-muted-foreground",
        secondary:
          "bg-secondary text-secondary-foreground hover:bg-accent active:bg-accent disabled:bg-muted disabled:text-muted-foreground",
        outline:
          "border-border-strong bg-card text-foreground hover:bg-muted active:bg-accent disabled:border-transparent disabled:bg-muted disabled:text-muted-foreground",
        ghost: "text-foreground hover:bg-hover active:bg-press disabled:bg-transparent disabled:text-muted-foreground",
        destructive:
          "bg-destructive-solid text-destructive-foreground hover:bg-destructive-solid-hover disabled:bg-muted disabled:text-muted-foreground",
        link: "rounded-xs! h-auto! px-0! font-normal text-link underline decoration-link/40 underline-offset-3 hover:decoration-current disabled:text-muted-foreground",
      },
      size: {
        default: "h-(--control) rounded-md px-3.5 [&_svg]:-ml-0.5",
        sm: "h-(--control-sm) gap-1.5 rounded-sm px-2.5 text-sm",
        icon: "size-(--control) rounded-md",
        "icon-sm": "size-(--control-sm) rounded-sm",
      },
    },
    compoundVariants: [
      // Small repeated actions would be too loud at full weight and colour.
      {
        variant: "ghost",
        size: ["sm", "icon", "icon-sm"],
        class: "font-normal text-muted-foreground hover:text-foreground",
      },
    ],
    defaultVariants: { variant: "default", size: "default" },
  },
);

function Button({
  className,
  variant = "default",
  size = "default",
  asChild = false,
  pending = false,
  type = "button",
  children,
  ...props
}: React.ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    asChild?: boolean;
    /** Our one addition: a spinner in place of the label. The button keeps its width, focus and name but does nothing. */
    pending?: boolean;
  }) {
  const Comp = asChild ? Slot.Root : "button";
  return (
    <Comp
      data-slot="button"
      className={cn(buttonVariants({ variant, size, className }))}
      {...(asChild ? {} : { type })}
      {...props}
      {...(pending ? { "aria-disabled": true, "aria-busy": true, onClick: ignoreClick } : {})}
    >
      {pending ? <PendingLabel>{children}</PendingLabel> : children}
    </Comp>
  );
}

function PendingLabel({ children }: { children: React.ReactNode }) {
  return (
    <>
      <span className="absolute inset-0 grid place-items-center">
        <Spinner className="ml-0!" />
      </span>
      <span className="inline-flex items-center gap-[inherit] opacity-0">{children}</span>
    </>
  );
}

/** Ignores the click, which Enter in a field causes too. */
function ignoreClick(event: React.MouseEvent): void {
  event.preventDefault();
}

export { Button, buttonVariants };
