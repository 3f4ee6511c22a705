import { cn } from "@/lib/utils/cn";

/** Lines of text with a caret after them. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" fill="none" aria-hidden="true" className={cn("size-5 shrink-0 text-link", className)}>
      <path d="M3 4.5h8M3 10h5M3 15.5h8" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" opacity=".45" />
      <path d="M15.5 3v14" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  );
}
