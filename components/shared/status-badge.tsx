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

type Look = { label: string; variant: ComponentProps<typeof Badge>["variant"]; glyph: ReactNode };

/**
 * A status as glyph and label. `library` names content statuses in full, `publishing` shows a piece's status on the site,
 * `processing` is for jobs and queue items. An unknown status is its own label; `label` overrides it.
 */
export function StatusBadge({
  status,
  view = "library",
  label,
}: {
  status: string;
  view?: "library" | "publishing" | "processing";
  label?: string | undefined;
}) {
  const fallback = view === "publishing" ? NOT_PUBLISHED : { ...NOT_PUBLISHED, label: status };
  const look = LOOKS[view][status] ?? fallback;
  return (
    <Badge variant={look.variant}>
      {look.glyph}
      {label ?? look.label}
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

const NOT_PUBLISHED: Look = { label: "Not Published", variant: "neutral", glyph: icon(Circle) };

const LOOKS: Record<"library" | "publishing" | "processing", Record<string, Look>> = {
  library: {
    draft: { label: "Draft", variant: "neutral", glyph: icon(CircleDashed) },
    review: { label: "Under Review", variant: "info", glyph: HALF_DISC },
    published: { label: "Published", variant: "success", glyph: icon(CircleCheck) },
    unpublished: { label: "Unpublished", variant: "neutral", glyph: icon(CircleMinus) },
    wp_draft: { label: "WordPress Draft", variant: "neutral", glyph: icon(CircleDot) },
    wp_published: { label: "Published", variant: "success", glyph: DISC_CHECK },
    wp_failed: { label: "Failed", variant: "destructive", glyph: icon(TriangleAlert) },
  },
  publishing: {
    wp_draft: { label: "Draft", variant: "neutral", glyph: icon(CircleDot) },
    wp_published: { label: "Published", variant: "success", glyph: DISC_CHECK },
    wp_failed: { label: "Failed", variant: "destructive", glyph: icon(TriangleAlert) },
  },
  processing: {
    pending: { label: "Pending", variant: "neutral", glyph: icon(CircleDotDashed) },
    processing: { label: "Processing", variant: "info", glyph: icon(LoaderCircle, "animate-spinner") },
    completed: { label: "Completed", variant: "success", glyph: DISC_CHECK },
    failed: { label: "Failed", variant: "destructive", glyph: icon(OctagonX) },
    cancelled: { label: "Cancelled", variant: "neutral", glyph: icon(CircleSlash) },
  },
};
