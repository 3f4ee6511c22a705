import "server-only";
import type { Usage } from "@/lib/ai/generate";
import { type Db, Prisma } from "@/lib/db/prisma";
import type { Section } from "@/lib/features/generation/rules";

/** The outline's hash and the place of a section in it, from 0. */
export type SectionPlace = { outlineHash: string; position: number };

type Raw = Pick<Db, "$queryRaw" | "$executeRaw">;

/**
 * Keeps a section that was paid for, no matter who asked for it or what became of the request. The first one of its place
 * stays. Sections of outlines that no longer stand go. Keeps nothing where the piece is gone.
 */
export async function keepSection(
  db: Raw,
  pieceId: string,
  { outlineHash, position }: SectionPlace,
  { heading, text }: Section,
  { model, promptVersion, tokensIn, tokensOut, ms }: Usage,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH piece AS (
      SELECT id, encode(sha256(convert_to(coalesce(outline, ''), 'UTF8')), 'hex') AS standing
      FROM content_pieces WHERE id = ${pieceId}::uuid FOR KEY SHARE),
    others AS (DELETE FROM written_sections s USING piece
      WHERE s.content_piece_id = piece.id AND s.outline_hash NOT IN (piece.standing, ${outlineHash}))
    INSERT INTO written_sections (content_piece_id, outline_hash, position, heading, text, model, prompt_version, tokens_in, tokens_out, duration_ms)
    SELECT piece.id, ${outlineHash}, ${position}::int, ${heading}, ${text}, ${model}, ${promptVersion}, ${tokensIn}::int,
      ${tokensOut}::int, ${Math.round(ms)}::int FROM piece
    ON CONFLICT DO NOTHING`);
}

export type KeptSection = Section & Usage & { position: number; outlineHash: string };

/** The finished sections of a piece, in order: those of one outline, or of the last one that was written from. */
export function keptSections(db: Raw, pieceId: string, outlineHash: string | null = null): Promise<KeptSection[]> {
  return db.$queryRaw<KeptSection[]>(Prisma.sql`
    SELECT position, outline_hash AS "outlineHash", heading, text, model, prompt_version AS "promptVersion",
      tokens_in AS "tokensIn", tokens_out AS "tokensOut", duration_ms::float8 AS ms
    FROM written_sections WHERE content_piece_id = ${pieceId}::uuid AND outline_hash = coalesce(${outlineHash}, (
      SELECT outline_hash FROM written_sections WHERE content_piece_id = ${pieceId}::uuid ORDER BY created_at DESC LIMIT 1))
    ORDER BY position`);
}

/** They have landed as a text or as a revision, and are not to land again. */
export async function spendSections(db: Raw, pieceId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`DELETE FROM written_sections WHERE content_piece_id = ${pieceId}::uuid`);
}
