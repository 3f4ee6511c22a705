import { cn } from "@/lib/utils/cn";

/** The product's motif: a blinking text caret. */
export function Caret({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "ml-[3px] inline-block h-[1.05em] w-0.5 animate-caret rounded-[1px] bg-link align-[-0.16em]",
        className,
      )}
    />
  );
}
