import { cn } from "@/lib/utils/cn";

/** A bar from 0 to 100 percent, of which `failed` percent is shown as failed. */
export function ProgressBar({
  value,
  failed = 0,
  label,
  className,
}: {
  value: number;
  failed?: number;
  label: string;
  className?: string;
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={`${value}%`}
      className={cn("flex h-1 w-full overflow-hidden rounded-xs bg-accent", className)}
    >
      <div className="h-full bg-link transition-[width]" style={{ width: `${value - failed}%` }} />
      <div className="h-full bg-destructive transition-[width]" style={{ width: `${failed}%` }} />
    </div>
  );
}
