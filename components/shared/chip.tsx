import type { ReactNode } from "react";
import { cn } from "@/lib/utils/cn";

/** The shape of every chip: a keyword or a trait, to read, edit, remove or choose. A status is a badge. */
export const CHIP = "flex max-w-full items-stretch rounded-sm bg-muted text-sm";
export const CHIP_TEXT = "min-w-0 px-2.5 py-1 text-left wrap-anywhere max-md:py-2";

/** A chip in a list; `end` is what stands behind its text. It is `busy` until the server has confirmed it. */
export function Chip({ children, end, busy }: { children: ReactNode; end?: ReactNode; busy?: boolean }) {
  return (
    <li aria-busy={busy} className={cn(CHIP, busy && "text-muted-foreground")}>
      <span dir="auto" className={cn(CHIP_TEXT, end !== undefined && "pr-0")}>
        {children}
      </span>
      {end}
    </li>
  );
}

/** The cross at a chip's end. */
export function ChipCross({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid w-7 shrink-0 place-items-center rounded-r-sm text-lg text-muted-foreground leading-none hover:bg-destructive-soft hover:text-destructive max-md:w-10"
    >
      {/* A character is cheaper than an icon: a topic may have 500 keywords. */}×
    </button>
  );
}
