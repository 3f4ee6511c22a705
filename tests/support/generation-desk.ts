import { actorOfSignIn } from "@/lib/auth/actor";
import { env } from "@/lib/env";
import { fencesOf } from "@/tests/support/ai/read-prompt";
import { type RecordedRequest, type SampleAiProvider, startSampleAiProvider } from "@/tests/support/ai-provider";
import { query } from "@/tests/support/db";
import { newDesk } from "@/tests/support/factories";
import { asked, gate } from "@/tests/support/queue-desk";
import { type Columns, newPieceOf } from "@/tests/support/queue-rows";

// Generation with the sample provider alone, without an engine.

export async function startProvider(): Promise<SampleAiProvider> {
  const ai = await startSampleAiProvider();
  env.OPENAI_BASE_URL = ai.url;
  return ai;
}

export type GenerationDesk = Awaited<ReturnType<typeof deskWithKey>>;

/** A person with a key, a project and a topic, and how pieces and keywords come into them. */
export async function deskWithKey(ai: SampleAiProvider) {
  const desk = await newDesk();
  await desk.caller.patch("/api/user/settings", { openaiApiKey: ai.apiKey });
  return {
    ...desk,
    actor: actorOfSignIn(desk.id, { requestId: "test", address: "test" }),
    piece: (columns: Columns = {}) => newPieceOf(desk, columns),
    /** In this order, as the topic lists them. */
    keywords: (...keywords: string[]) =>
      query(
        `INSERT INTO keywords (topic_id, keyword, created_at) SELECT $1, k, now() - n * interval '1 minute'
         FROM unnest($2::text[]) WITH ORDINALITY AS new (k, n)`,
        [desk.topicId, keywords],
      ),
    ideas: (ideasPerKeyword: number, topicId = desk.topicId) =>
      desk.caller.post<{ type?: string; error?: string; message: string; contentIdeas: { focusKeyword: string }[] }>(
        `/api/projects/${desk.projectId}/generate-content-ideas`,
        { topicId, ideasPerKeyword },
      ),
    suggest: (how = "") =>
      desk.caller.post<{ saved: boolean; savedKeywords: unknown[]; keywords: string[] }>(
        `/api/topics/${desk.topicId}/suggest-keywords${how}`,
      ),
    plan: (id: string) => desk.caller.post(`/api/content/${id}/generate-outline`),
    write: (id: string) => desk.caller.post(`/api/content/${id}/generate-from-outline`),
  };
}

/** A call of which the provider was asked, first of all; it is answered when `answer` is called. */
export async function underWay<T>(ai: SampleAiProvider, begin: () => Promise<T>): Promise<{ answer(): Promise<T> }> {
  const { until, open } = gate();
  ai.faults.next([{ kind: "held", until }]);
  const ended = begin();
  const unasked = ended.then(() => {
    throw new Error("It ended before the provider was asked.");
  });
  await Promise.race([asked({ ai }, 1), unasked]);
  return {
    answer: () => {
      open();
      return ended;
    },
  };
}

/** What a request was given, by the names of its fences: lists and records as such. */
export function givenTo({ body }: RecordedRequest): Record<string, unknown> {
  return Object.fromEntries([...fencesOf(body.messages)].map(([label, data]) => [label, read(data)]));
}

function read(data: string): unknown {
  return /^[[{]/.test(data) ? JSON.parse(data) : data;
}

/** A trigger that refuses rows of this one's; until `forgive`. */
export async function refusing(table: string, condition: string): Promise<{ forgive(): Promise<void> }> {
  const name = `refuse_${table}`;
  await query(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room on the disk'; END $$`,
  );
  await query(
    `CREATE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}()`,
  );
  return {
    forgive: async () => {
      await query(`DROP FUNCTION ${name} CASCADE`);
    },
  };
}

/** The finished sections of a piece as they are kept, in order. */
export const sectionsOf = (pieceId: string) =>
  query<{ position: number; heading: string; text: string }>(
    "SELECT position, heading, text FROM written_sections WHERE content_piece_id = $1 ORDER BY position",
    [pieceId],
  );

export const textOf = async (pieceId: string) =>
  (
    await query<{ body: string; outline: string | null }>("SELECT body, outline FROM content_pieces WHERE id = $1", [
      pieceId,
    ])
  )[0];

/** AI texts that lie beside a piece. */
export const setAside = (pieceId: string) =>
  query<{ body: string; outline: string | null }>(
    "SELECT body, outline FROM content_revisions WHERE content_piece_id = $1 AND author = 'ai' AND version IS NULL",
    [pieceId],
  );
