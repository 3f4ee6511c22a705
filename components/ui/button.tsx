import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type * as React from "react";
import { Children, isValidElement } from "react";
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
    /** Our one addition: a spinner. The button keeps its width, words and focus but does nothing. */
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

/** The words with a spinner in the icon's place, or at the edge of a button without an icon: its width stays. */
function PendingLabel({ children }: { children: React.ReactNode }) {
  const parts = Children.toArray(children);
  const icon = parts.find(isIcon);
  if (icon) return parts.map((part) => (part === icon ? <Spinner key="spinner" /> : part));
  return (
    <span className="-mx-2 inline-flex items-center gap-1">
      <Spinner className="ml-0! size-3!" />
      {children}
    </span>
  );
}

function isIcon(part: React.ReactNode): boolean {
  return isValidElement<{ "aria-hidden"?: unknown }>(part) && Boolean(part.props["aria-hidden"]);
}

/** Ignores the click, which Enter in a field causes too. */
function ignoreClick(event: React.MouseEvent): void {
  event.preventDefault();
}

export { Button, buttonVariants };
