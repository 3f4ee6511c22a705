import { LoaderCircleIcon } from "lucide-react";
import { cn } from "@/lib/utils/cn";

/** A spinner. With a label it is announced; without one the element around it must say that it is busy. */
function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = (
    <LoaderCircleIcon
      aria-hidden="true"
      data-slot="spinner"
      className={cn("size-4 shrink-0 animate-spinner", className)}
    />
  );
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}

export { Spinner };
