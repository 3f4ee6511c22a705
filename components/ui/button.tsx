import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps, MouseEvent } from "react";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/utils/cn";

export const buttonVariants = cva(
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
      // Repeated small actions would shout at full weight and colour.
      {
        variant: "ghost",
        size: ["sm", "icon", "icon-sm"],
        class: "font-normal text-muted-foreground hover:text-foreground",
      },
    ],
    defaultVariants: { variant: "default", size: "default" },
  },
);

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Gives the look to the one child instead, for links. */
    asChild?: boolean;
    /** A spinner in place of the label, in the same width. The button keeps focus and name but does nothing. */
    pending?: boolean;
  };

export function Button({ className, variant, size, asChild, pending = false, type, children, ...props }: ButtonProps) {
  const look = cn(buttonVariants({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={look} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type ?? "button"}
      className={look}
      {...props}
      {...(pending ? { "aria-disabled": true, "aria-busy": true, onClick: refuse } : {})}
    >
      {pending ? (
        <>
          <span className="absolute inset-0 grid place-items-center">
            <Spinner className="ml-0!" />
          </span>
          <span className="inline-flex items-center gap-[inherit] opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </button>
  );
}

/** Also keeps a form from being sent by Enter, which clicks its submit button. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
}
