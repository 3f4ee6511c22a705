import type { ComponentProps } from "react";
import { controlLook } from "@/components/ui/input";
import { cn } from "@/lib/utils/cn";

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea dir="auto" className={cn(controlLook, "block min-h-22 resize-y px-3 py-2", className)} {...props} />;
}
