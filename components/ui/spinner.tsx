import { LoaderCircle } from "lucide-react";
import { cn } from "@/lib/utils/cn";

/** A turning arc. With a label it is a status of its own; without one the thing around it must say that it is busy. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = <LoaderCircle aria-hidden="true" className={cn("size-4 shrink-0 animate-spinner", className)} />;
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}
