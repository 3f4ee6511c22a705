import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import type { ReviewOut } from "@/lib/features/publishing/schema";
import type { KeywordOut, TopicOut } from "@/lib/features/topics/schema";

export const PIECE_ID = "1f6f5e0c-5a0e-4c39-9d3c-0a4a3b9d7a01";

/** A topic in an API response. */
export function aTopic(parts: Partial<TopicOut> = {}): TopicOut {
  return {
    id: 7,
    projectId: 3,
    name: "Seed starting indoors",
    description: "From packet to potting up.",
    category: "Growing from seed",
    keywordCount: 0,
    contentCount: 0,
    unoutlinedCount: 0,
    unwrittenCount: 0,
    steps: { idea: 0, outline: 0, text: 0, live: 0 },
    createdAt: "2026-11-03T10:00:00.000Z",
    ...parts,
  };
}

export function aKeyword(id: number, keyword: string): KeywordOut {
  return { id, topicId: 7, keyword, createdAt: "2026-11-03T10:00:00.000Z" };
}

/** A piece in a list: a draft with a body. */
export function aSummary(parts: Partial<ContentSummary> = {}): ContentSummary {
  return {
    id: PIECE_ID,
    projectId: 3,
    topicId: 7,
    title: "Bottom watering, explained",
    status: "draft",
    isTitleOnly: false,
    isOutline: false,
    hasBody: true,
    hasOutline: false,
    wordCount: 5,
    lengthInWords: 5,
    version: 4,
    wpPlace: "none",
    wpPostId: null,
    wpPermalink: null,
    wpPostStatus: null,
    wpPostDate: null,
    wpCategoryId: null,
    wpCategoryName: null,
    publishError: null,
    isNewerHere: false,
    lastSyncedAt: null,
    createdAt: "2026-11-09T10:00:00.000Z",
    updatedAt: "2026-11-09T10:00:00.000Z",
    ...parts,
  };
}

/** The same piece by itself. */
export function aPiece(parts: Partial<ContentOut> = {}): ContentOut {
  return {
    ...aSummary(),
    body: "Water from below, not above.",
    outline: null,
    focusKeyword: null,
    metaTitle: null,
    metaDescription: null,
    slug: null,
    excerpt: null,
    intent: null,
    angle: null,
    isBeingWritten: false,
    lacksSearchFields: false,
    ...parts,
  };
}

/** A review of which nothing is to be said. */
export function aReview(parts: Partial<ReviewOut> = {}): ReviewOut {
  return {
    id: "a",
    losses: 0,
    score: 70,
    findings: [],
    found: 0,
    holding: 0,
    outbound: 0,
    internal: [],
    focusKeyword: null,
    slug: null,
    rivals: [],
    ...parts,
  };
}
