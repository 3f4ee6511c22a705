import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleDotDashed,
  CircleMinus,
  CircleSlash,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  TriangleAlert,
} from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

/** A status: a label with a glyph, never colour alone. */
export function StatusBadge({ label, look }: { label: string; look: keyof typeof LOOKS }) {
  const { variant, glyph } = LOOKS[look];
  return (
    <Badge variant={variant}>
      {glyph}
      {label}
    </Badge>
  );
}

function icon(Icon: LucideIcon, className?: string): ReactNode {
  return <Icon aria-hidden="true" strokeWidth={2} className={className} />;
}

const DISC_CHECK = (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm4.95 7.95-5.5 5.5a1.25 1.25 0 0 1-1.77 0l-2.63-2.63a1.25 1.25 0 1 1 1.77-1.77l1.75 1.75 4.61-4.62a1.25 1.25 0 0 1 1.77 1.77Z"
    />
  </svg>
);

const HALF_DISC = (
  <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="2">
    <circle cx="12" cy="12" r="9" />
    <path d="M12 3a9 9 0 0 1 0 18Z" fill="currentColor" stroke="none" />
  </svg>
);

const LOOKS = {
  none: { variant: "neutral", glyph: icon(Circle) },
  new: { variant: "neutral", glyph: icon(CircleDashed) },
  review: { variant: "info", glyph: HALF_DISC },
  ready: { variant: "success", glyph: icon(CircleCheck) },
  withdrawn: { variant: "neutral", glyph: icon(CircleMinus) },
  waiting: { variant: "neutral", glyph: icon(CircleDot) },
  live: { variant: "success", glyph: DISC_CHECK },
  problem: { variant: "destructive", glyph: icon(TriangleAlert) },
  queued: { variant: "neutral", glyph: icon(CircleDotDashed) },
  running: { variant: "info", glyph: icon(LoaderCircle, "animate-spinner") },
  done: { variant: "success", glyph: DISC_CHECK },
  failed: { variant: "destructive", glyph: icon(OctagonX) },
  cancelled: { variant: "neutral", glyph: icon(CircleSlash) },
} as const satisfies Record<string, { variant: ComponentProps<typeof Badge>["variant"]; glyph: ReactNode }>;
