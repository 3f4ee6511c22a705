import type { ComponentProps } from "react";
import { cn } from "@/lib/utils/cn";

/** The look of everything one types into; 16 px on phones, where browsers zoom into smaller ones. */
export const controlLook =
  "w-full border border-input rounded-md bg-card text-foreground transition-colors hover:border-muted-foreground aria-invalid:border-destructive disabled:cursor-not-allowed disabled:border-border-strong disabled:bg-muted disabled:text-muted-foreground max-md:text-md";

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input type={type} dir="auto" className={cn(controlLook, "h-(--control) min-w-0 px-3", className)} {...props} />
  );
}
