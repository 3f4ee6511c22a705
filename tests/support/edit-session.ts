import { prisma } from "@/lib/db/prisma";
import type { ContentOut } from "@/lib/features/content/schema";
import { saveAiText, savePublishedRevisions } from "@/lib/features/content/sql/shared";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace, revisionsOf } from "@/tests/support/factories";

const USAGE = {
  model: "a-model",
  promptVersion: "test-1",
  tokensIn: 1,
  tokensOut: 1,
  tokensCached: 0,
  tokensReasoning: 0,
  ms: 1,
};

export type EditSession = Awaited<ReturnType<typeof newEditSession>>;

/** A piece saved as the editor saves it, with the version each save was made on; `later` lets time pass. */
export async function newEditSession(texts: { body?: string } = { body: "The first text." }) {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, texts);
  const url = `/api/content/${id}`;
  const read = async () => (await workspace.caller.get<ContentOut>(url)).body;
  return {
    ...workspace,
    id,
    url,
    read,
    save: async (change: { title?: string; body?: string; outline?: string }) =>
      (await workspace.caller.patch<ContentOut>(url, { ...change, version: (await read()).version })).body,
    saveWithoutVersion: (body: string) => workspace.caller.patch(url, { body }),
    saveOn: (version: number, body: string) => workspace.caller.patch<ContentOut>(url, { body, version }),
    saveAi: async (body: string, baseTextVersion?: number) =>
      saveAiText(prisma, workspace.id, id, {
        field: "body",
        text: body,
        baseTextVersion: baseTextVersion ?? (await textVersion(id)),
        usage: USAGE,
      }),
    publish: async (piece?: ContentOut) => savePublishedRevisions(prisma, workspace.id, [piece ?? (await read())]),
    /** Makes all revisions older by this interval. */
    later: (interval: string) =>
      query("UPDATE content_revisions SET created_at = created_at - $2::interval WHERE content_piece_id = $1", [
        id,
        interval,
      ]),
    bodies: async () => (await revisionsOf(workspace, url)).map(({ body }) => body),
    outlines: async () => (await revisionsOf(workspace, url)).map(({ outline }) => outline),
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
