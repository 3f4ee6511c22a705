import "server-only";
import { createHash } from "node:crypto";
import type { Usage } from "@/lib/ai/generate";
import type { PersonaInput, ProjectInput, StyleInput, TopicInput } from "@/lib/ai/prompts/shared";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { sealedAccessSql } from "@/lib/features/account/settings/sql/shared";
import {
  outlineHashSql,
  type PieceForPrompt,
  pieceForPromptSql,
  textVersionSql,
} from "@/lib/features/content/sql/shared";
import { MAX_NEIGHBOUR_TITLES, type Section } from "@/lib/features/generation/rules";
import { projectForPromptSql } from "@/lib/features/projects/sql/shared";
import { topicForPromptSql } from "@/lib/features/topics/sql/shared";
import type { ItemSql } from "@/lib/features/work/sql/shared";

/** The outline's hash and the position of a section in it, from 0. */
export type SectionPlace = { outlineHash: string; position: number };

/** Identifies the outline that a section was written from. */
export function hashOutline(outline: string | null): string {
  return createHash("sha256")
    .update(outline ?? "")
    .digest("hex");
}

/** Identifies the outline and the text to which missing sections are added: what is added to a text belongs to that text. */
export function hashMissing(outline: string | null, body: string): string {
  return hashOutline(`${outline}\0${body.trim()}`);
}

type Raw = Pick<Db, "$queryRaw" | "$executeRaw">;

/** A piece with what prompts say of its topic and its project. */
export type PieceRow = {
  piece: PieceForPrompt;
  topic: TopicInput;
  project: ProjectInput & { style: StyleInput; persona: PersonaInput | null };
};

/** SQL: the user's piece as a PieceRow. */
export function pieceContextSql(id: Prisma.Sql, userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT p.piece, ${topicForPromptSql(Prisma.sql`p.topic_id`)} AS topic,
      ${projectForPromptSql(Prisma.sql`p.project_id`)} AS project
    FROM (${pieceForPromptSql(id, userId, MAX_NEIGHBOUR_TITLES)}) p`;
}

export async function selectPieceContext(userId: string, id: string): Promise<PieceRow | undefined> {
  const [row] = await prisma.$queryRaw<PieceRow[]>(
    pieceContextSql(Prisma.sql`${id}::uuid`, Prisma.sql`${userId}::uuid`),
  );
  return row;
}

/** SQL value (json) of QueuedPiece (see reads.ts), for the statement that claims the piece's item. */
export function queuedContextSql({ pieceId, userId }: ItemSql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('row', to_json(x), 'access', (SELECT to_json(a) FROM (${sealedAccessSql(userId)}) a))
    FROM (${pieceContextSql(pieceId, userId)}) x)`;
}

/**
 * Saves a paid section with its piece, whatever became of the request; the first whole one at a position wins, and a longer
 * unfinished one replaces a shorter. Deletes sections of earlier outlines. Saves nothing when the piece is gone.
 */
export async function saveSection(
  db: Raw,
  pieceId: string,
  { outlineHash, position }: SectionPlace,
  { heading, text }: Section,
  { model, promptVersion, tokensIn, tokensOut, tokensCached, tokensReasoning, ms }: Usage,
  isBroken = false,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH piece AS (${outlineHashSql(pieceId)}),
    others AS (DELETE FROM written_sections s USING piece
      WHERE s.content_piece_id = piece.id AND s.outline_hash NOT IN (piece.outline_hash, ${outlineHash}))
    INSERT INTO written_sections AS s (content_piece_id, outline_hash, position, heading, text, model, prompt_version, tokens_in,
      tokens_out, tokens_cached, tokens_reasoning, duration_ms, breaks)
    SELECT piece.id, ${outlineHash}, ${position}::int, ${heading}, ${text}, ${model}, ${promptVersion}, ${tokensIn}::int,
      ${tokensOut}::int, ${tokensCached}::int, ${tokensReasoning}::int, ${Math.round(ms)}::int, ${isBroken ? 1 : 0}::int FROM piece
    ON CONFLICT (content_piece_id, outline_hash, position) DO UPDATE SET heading = excluded.heading, model = excluded.model,
      text = CASE WHEN ${isBroken}::boolean AND length(s.text) > length(excluded.text) THEN s.text ELSE excluded.text END,
      prompt_version = excluded.prompt_version, tokens_in = s.tokens_in + excluded.tokens_in,
      tokens_out = s.tokens_out + excluded.tokens_out,
      tokens_cached = s.tokens_cached + excluded.tokens_cached, tokens_reasoning = s.tokens_reasoning + excluded.tokens_reasoning,
      duration_ms = s.duration_ms + excluded.duration_ms,
      breaks = CASE WHEN ${isBroken}::boolean THEN s.breaks + 1 ELSE 0 END, created_at = now()
    WHERE s.breaks > 0`);
}

export type SavedSection = Section & Usage & { position: number; outlineHash: string };

/** A piece's saved sections, in order: those of the given outline, or of the one written from last. */
export function selectSections(db: Raw, pieceId: string, outlineHash: string | null = null): Promise<SavedSection[]> {
  return db.$queryRaw<SavedSection[]>(Prisma.sql`
    SELECT position, outline_hash AS "outlineHash", heading, text, model, prompt_version AS "promptVersion",
      tokens_in AS "tokensIn", tokens_out AS "tokensOut", tokens_cached AS "tokensCached",
      tokens_reasoning AS "tokensReasoning", duration_ms::float8 AS ms
    FROM written_sections WHERE content_piece_id = ${pieceId}::uuid AND breaks = 0
      AND outline_hash = coalesce(${outlineHash}, (SELECT outline_hash FROM written_sections
        WHERE content_piece_id = ${pieceId}::uuid ORDER BY created_at DESC LIMIT 1))
    ORDER BY position`);
}

/** A piece whose text is being written; its reader has the sections before `from`. */
export type WrittenOf = { id: string; outlineHash: string; from: number };

/** What is written of a piece's text, and how many seconds its sections have taken; null for none. */
export type WrittenParts = {
  id: string;
  parts: { position: number; heading: string; text: string }[];
  seconds: number | null;
};

export function selectWrittenParts(pieces: WrittenOf[]): Promise<WrittenParts[]> {
  return prisma.$queryRaw<WrittenParts[]>(Prisma.sql`
    SELECT p.id, avg(s.duration_ms)::float8 / 1000 AS seconds,
      coalesce(json_agg(json_build_object('position', s.position, 'heading', s.heading, 'text', s.text) ORDER BY s.position)
        FILTER (WHERE s.position >= p."from"), '[]') AS parts
    FROM jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) AS p (id uuid, "outlineHash" text, "from" int)
    LEFT JOIN written_sections s ON s.content_piece_id = p.id AND s.outline_hash = p."outlineHash" AND s.breaks = 0
    GROUP BY p.id`);
}

/** A section in which the provider broke off, so many times; `shownIn`: see markShown. */
export type UnfinishedSection = SectionPlace & Section & { breaks: number; shownIn: number | null };

/** A piece's unfinished section, the latest one. */
export async function selectUnfinished(db: Raw, pieceId: string): Promise<UnfinishedSection | undefined> {
  const [row] = await db.$queryRaw<UnfinishedSection[]>(Prisma.sql`
    SELECT outline_hash AS "outlineHash", position, heading, text, breaks, shown_in AS "shownIn" FROM written_sections
    WHERE content_piece_id = ${pieceId}::uuid AND breaks > 0 ORDER BY created_at DESC LIMIT 1`);
  return row;
}

/** Records that the body as it is now shows the piece's unfinished section. */
export async function markShown(db: Raw, pieceId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE written_sections s SET shown_in = p.text_version FROM (${textVersionSql(pieceId)}) p
    WHERE s.content_piece_id = p.id AND s.breaks > 0`);
}

/** Is the text of this version only what a failed item had written? */
export async function isShownIn(db: Raw, pieceId: string, textVersion: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM written_sections WHERE content_piece_id = ${pieceId}::uuid AND shown_in = ${textVersion}::int LIMIT 1`);
  return rows.length > 0;
}

/** Deletes a piece's unfinished sections. */
export async function deleteUnfinished(db: Raw, pieceId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    DELETE FROM written_sections WHERE content_piece_id = ${pieceId}::uuid AND breaks > 0`);
}

/** Deletes a piece's sections once they are saved as its text or as a revision. */
export async function deleteSections(db: Raw, pieceId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`DELETE FROM written_sections WHERE content_piece_id = ${pieceId}::uuid`);
}
