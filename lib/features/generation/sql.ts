import "server-only";
import type { Usage } from "@/lib/ai/generate";
import { type Db, Prisma } from "@/lib/db/prisma";
import { outlineHashSql } from "@/lib/features/content/sql/shared";
import type { Section } from "@/lib/features/generation/rules";

/** The outline's hash and the position of a section in it, from 0. */
export type SectionPlace = { outlineHash: string; position: number };

type Raw = Pick<Db, "$queryRaw" | "$executeRaw">;

/**
 * Saves a paid section with its piece, whatever became of the request; the first one at a position wins. Deletes sections of
 * earlier outlines. Saves nothing when the piece is gone.
 */
export async function saveSection(
  db: Raw,
  pieceId: string,
  { outlineHash, position }: SectionPlace,
  { heading, text }: Section,
  { model, promptVersion, tokensIn, tokensOut, tokensCached, tokensReasoning, ms }: Usage,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH piece AS (${outlineHashSql(pieceId)}),
    others AS (DELETE FROM written_sections s USING piece
      WHERE s.content_piece_id = piece.id AND s.outline_hash NOT IN (piece.outline_hash, ${outlineHash}))
    INSERT INTO written_sections (content_piece_id, outline_hash, position, heading, text, model, prompt_version, tokens_in, tokens_out,
      tokens_cached, tokens_reasoning, duration_ms)
    SELECT piece.id, ${outlineHash}, ${position}::int, ${heading}, ${text}, ${model}, ${promptVersion}, ${tokensIn}::int,
      ${tokensOut}::int, ${tokensCached}::int, ${tokensReasoning}::int, ${Math.round(ms)}::int FROM piece
    ON CONFLICT DO NOTHING`);
}

export type SavedSection = Section & Usage & { position: number; outlineHash: string };

/** A piece's saved sections, in order: those of the given outline, or of the one written from last. */
export function selectSections(db: Raw, pieceId: string, outlineHash: string | null = null): Promise<SavedSection[]> {
  return db.$queryRaw<SavedSection[]>(Prisma.sql`
    SELECT position, outline_hash AS "outlineHash", heading, text, model, prompt_version AS "promptVersion",
      tokens_in AS "tokensIn", tokens_out AS "tokensOut", tokens_cached AS "tokensCached",
      tokens_reasoning AS "tokensReasoning", duration_ms::float8 AS ms
    FROM written_sections WHERE content_piece_id = ${pieceId}::uuid AND outline_hash = coalesce(${outlineHash}, (
      SELECT outline_hash FROM written_sections WHERE content_piece_id = ${pieceId}::uuid ORDER BY created_at DESC LIMIT 1))
    ORDER BY position`);
}

/** Deletes a piece's sections once they are saved as its text or as a revision. */
export async function deleteSections(db: Raw, pieceId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`DELETE FROM written_sections WHERE content_piece_id = ${pieceId}::uuid`);
}
