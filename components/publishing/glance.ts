import type { ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATES, stepOf } from "@/lib/features/content/states";
import type { ReviewOut } from "@/lib/features/publishing/schema";
import type { PieceStep } from "@/lib/features/topics/rules";

/** A piece at a glance. What is not known (yet) is null. */
export type GlanceRow = {
  id: string;
  title: string;
  stage: string;
  site: string;
  keyword: string | null;
  words: number | null;
  score: number | null;
  /** What may be unfinished, and how much of it holds a publish. */
  findings: number | null;
  holding: number | null;
  linksIn: number | null;
  linksOut: number | null;
};
export type GlanceColumn = Exclude<keyof GlanceRow, "id" | "holding">;
export type GlanceSort = { column: GlanceColumn | "worst"; isDescending: boolean };

const STAGES: Record<PieceStep, string> = { idea: "Idea", outline: "Outline", text: "Text", live: "Live" };

/** `isComplete`: everything that can be reviewed has been, so that links to a piece can be counted. */
export function glanceRows(
  pieces: ContentSummary[],
  reviews: ReadonlyMap<string, ReviewOut>,
  isComplete: boolean,
): GlanceRow[] {
  const linked = linksTo(pieces, reviews);
  return pieces.map((piece) => {
    const review = reviews.get(piece.id);
    return {
      id: piece.id,
      title: piece.title,
      stage: STAGES[stepOf(piece)],
      site: CONTENT_STATES[piece.status].site.label,
      keyword: review?.focusKeyword ?? null,
      words: piece.lengthInWords,
      score: review?.score ?? null,
      findings: review?.found ?? null,
      holding: review?.holding ?? null,
      linksIn: isComplete && piece.wpPermalink ? (linked.get(pageOf(piece.wpPermalink)) ?? 0) : null,
      linksOut: review ? review.outbound + review.internal.length : null,
    };
  });
}

/** How many other pieces link to each page. */
function linksTo(pieces: ContentSummary[], reviews: ReadonlyMap<string, ReviewOut>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id, wpPermalink } of pieces) {
    const own = wpPermalink ? pageOf(wpPermalink) : "";
    const pages = new Set((reviews.get(id)?.internal ?? []).map(pageOf));
    for (const page of pages) if (page !== own) counts.set(page, (counts.get(page) ?? 0) + 1);
  }
  return counts;
}

/** A page by its path: links of a text stay on one site. */
function pageOf(address: string): string {
  try {
    const { pathname, searchParams } = new URL(address, "https://own.invalid");
    const plain = searchParams.get("p");
    return plain ? `?p=${plain}` : decodeURI(pathname).toLowerCase().replace(/\/+$/, "");
  } catch {
    return address;
  }
}

/** Sorts by a column, or the worst first: what holds a publish, then the lowest score. What is not known comes last. */
export function sorted(rows: GlanceRow[], { column, isDescending }: GlanceSort): GlanceRow[] {
  if (column === "worst")
    return rows.toSorted(
      (a, b) =>
        (b.holding ?? 0) - (a.holding ?? 0) ||
        (a.score ?? Number.POSITIVE_INFINITY) - (b.score ?? Number.POSITIVE_INFINITY) ||
        a.title.localeCompare(b.title),
    );
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [a[column], b[column]];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === "number" && typeof other === "number") return sign * (one - other);
    return sign * String(one).localeCompare(String(other));
  });
}
