import type { ComponentProps } from "react";
import { cn } from "@/lib/utils/cn";

export function Label({ className, ...props }: ComponentProps<"label">) {
  // biome-ignore lint/a11y/noLabelWithoutControl: whoever uses it names the control.
  return <label className={cn("font-medium", className)} {...props} />;
}
