import { prisma } from "@/lib/db/prisma";
import type { ContentOut } from "@/lib/features/content/schema";
import { keepPublished, landAiText } from "@/lib/features/content/writes";
import { query } from "@/tests/support/db";
import { newDesk, newPiece, revisionsOf } from "@/tests/support/factories";

const USAGE = { model: "a-model", promptVersion: "test-1", tokensIn: 1, tokensOut: 1, ms: 1 };

export type Sittings = Awaited<ReturnType<typeof newSittings>>;

/** A piece as the editor saves it, each save naming the version it was made on, with the time that passes between saves. */
export async function newSittings(texts: { body?: string } = { body: "The first text." }) {
  const desk = await newDesk();
  const id = await newPiece(desk, desk, texts);
  const url = `/api/content/${id}`;
  const read = async () => (await desk.caller.get<ContentOut>(url)).body;
  return {
    ...desk,
    id,
    url,
    read,
    save: async (change: { title?: string; body?: string; outline?: string }) =>
      (await desk.caller.patch<ContentOut>(url, { ...change, version: (await read()).version })).body,
    saveWithoutVersion: (body: string) => desk.caller.patch(url, { body }),
    saveOn: (version: number, body: string) => desk.caller.patch<ContentOut>(url, { body, version }),
    landAi: async (body: string, baseTextVersion?: number) =>
      landAiText(prisma, desk.id, id, {
        field: "body",
        text: body,
        baseTextVersion: baseTextVersion ?? (await textVersion(id)),
        usage: USAGE,
      }),
    publish: async (piece?: ContentOut) => keepPublished(prisma, piece ?? (await read())),
    /** All that was kept so far was kept so much earlier. */
    later: (interval: string) =>
      query("UPDATE content_revisions SET created_at = created_at - $2::interval WHERE content_piece_id = $1", [
        id,
        interval,
      ]),
    bodies: async () => (await revisionsOf(desk, url)).map(({ body }) => body),
    outlines: async () => (await revisionsOf(desk, url)).map(({ outline }) => outline),
    rows: () =>
      query<{ body: string; version: number | null }>(
        "SELECT body, version FROM content_revisions WHERE content_piece_id = $1 ORDER BY created_at DESC, id DESC",
        [id],
      ),
  };
}

async function textVersion(id: string): Promise<number> {
  const [row] = await query<{ n: number }>("SELECT text_version AS n FROM content_pieces WHERE id = $1", [id]);
  return row?.n ?? 0;
}
