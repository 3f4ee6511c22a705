import { actorFromSignIn } from "@/lib/auth/actor";
import { env } from "@/lib/env";
import { sendEvents } from "@/lib/events/send";
import { fencesOf } from "@/scripts/samples/ai/read-prompt";
import { type RecordedRequest, type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { query } from "@/tests/support/db";
import { newWorkspace } from "@/tests/support/factories";
import { type Columns, newPieceOf } from "@/tests/support/queue-rows";
import { createGate, untilAsked } from "@/tests/support/queue-workspace";

// Generation with the sample provider only, without an engine.

/** The sample provider for a suite, without faults or requests before each test. The suite mocks lib/events/send. */
export function sampleProvider(): SampleAiProvider {
  const ai = {} as SampleAiProvider;
  beforeAll(async () => {
    Object.assign(ai, await startSampleAiProvider());
    env.OPENAI_BASE_URL = ai.url;
  });
  afterAll(() => ai.close());
  beforeEach(() => {
    ai.requests.length = 0;
    jest.mocked(sendEvents).mockResolvedValue({ endedAbsence: false });
  });
  afterEach(() => {
    ai.faults.clear();
    ai.texts.length = 0;
  });
  return ai;
}

export type GenerationWorkspace = Awaited<ReturnType<typeof workspaceWithKey>>;

/** A user with an API key, a project and a topic, and helpers to add pieces and keywords. */
export async function workspaceWithKey(ai: SampleAiProvider) {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: ai.apiKey });
  return {
    ...workspace,
    actor: actorFromSignIn(workspace.id, { requestId: "test", address: "test" }),
    piece: (columns: Columns = {}) => newPieceOf(workspace, columns),
    /** In the order the topic lists them. */
    keywords: (...keywords: string[]) =>
      query(
        `INSERT INTO keywords (topic_id, keyword, created_at) SELECT $1, k, now() - n * interval '1 minute'
         FROM unnest($2::text[]) WITH ORDINALITY AS new (k, n)`,
        [workspace.topicId, keywords],
      ),
    ideas: (ideasPerKeyword: number, topicId = workspace.topicId) =>
      workspace.caller.post<{
        type?: string;
        error?: string;
        message: string;
        contentIdeas: { title: string; focusKeyword: string }[];
      }>(`/api/projects/${workspace.projectId}/generate-content-ideas`, { topicId, ideasPerKeyword }),
    suggest: (how = "") =>
      workspace.caller.post<{ saved: boolean; savedKeywords: unknown[]; keywords: string[]; message?: string }>(
        `/api/topics/${workspace.topicId}/suggest-keywords${how}`,
      ),
    plan: (id: string) => workspace.caller.post(`/api/content/${id}/generate-outline`),
    write: (id: string) => workspace.caller.post(`/api/content/${id}/generate-from-outline`),
  };
}

/** Starts a call and waits until it has reached the provider; `answer` lets the provider respond. */
export async function callInFlight<T>(
  ai: SampleAiProvider,
  begin: () => Promise<T>,
): Promise<{ answer(): Promise<T> }> {
  const { until, open } = createGate();
  ai.faults.next([{ kind: "held", until }]);
  const ended = begin();
  const unasked = ended.then(() => {
    throw new Error("It ended before the provider was asked.");
  });
  await Promise.race([untilAsked({ ai }, 1), unasked]);
  return {
    answer: () => {
      open();
      return ended;
    },
  };
}

/** The data of a request by fence, with JSON parsed. */
export function promptData({ body }: RecordedRequest): Record<string, unknown> {
  return Object.fromEntries([...fencesOf(body.messages)].map(([label, data]) => [label, read(data)]));
}

function read(data: string): unknown {
  return /^[[{]/.test(data) ? JSON.parse(data) : data;
}

/** Adds a trigger that rejects matching rows, until `forgive`. */
export async function rejectRows(table: string, condition: string): Promise<{ forgive(): Promise<void> }> {
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

/** A piece's saved sections, in order. */
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

/** AI texts kept next to a piece. */
export const asideTexts = (pieceId: string) =>
  query<{ body: string; outline: string | null }>(
    "SELECT body, outline FROM content_revisions WHERE content_piece_id = $1 AND author = 'ai' AND version IS NULL",
    [pieceId],
  );
