import type { ErrorType } from "@/lib/errors";
import type { Fault } from "@/scripts/samples/ai/faults";
import { REPLAYS, type ReplayName, THOUGHTS } from "@/scripts/samples/ai/replays";
import { REFUSAL_CASES } from "@/tests/support/ai-refusals";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  contentQueueUrl,
  type QueueWorkspace,
  queueBackend,
  status,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";
import { markdownTable } from "@/tests/support/report-table";

// What a user gets from each provider and in each kind of call, also printed as tables. What was not tried is empty.

const backend = queueBackend();
jest.setTimeout(60_000);

type Seen = { status: string; type?: ErrorType | "text"; sentence?: string; answer: string };

/** Each kind of call, with a piece of one section, and what its user sees. */
const CALLS = {
  keywords: (mine) => ask(mine, `/api/topics/${mine.topicId}/suggest-keywords`),
  ideas: (mine) =>
    ask(mine, `/api/projects/${mine.projectId}/generate-content-ideas`, { topicId: mine.topicId, ideasPerKeyword: 1 }),
  outline: (mine) => ask(mine, `${pathOf(mine)}/generate-outline`),
  "section streamed": (mine) => askForStream(mine, `${pathOf(mine)}/generate-from-outline`),
  "section queued": queueSection,
  rewrite: (mine) => ask(mine, `${pathOf(mine)}/rewrite`, { action: "shorter", selection: "One. Two. Three. Four." }),
  "assistant with tools": async (mine) => {
    await mine.caller.post("/api/chat/start", { projectId: mine.projectId });
    return ask(mine, "/api/chat/message", { message: "Create a topic called Wässer" });
  },
} satisfies Record<string, (mine: QueueWorkspace) => Promise<Seen>>;

type CallName = keyof typeof CALLS;
const ALL = Object.keys(CALLS) as CallName[];
const WITHOUT_TOOLS = ALL.filter((call) => call !== "assistant with tools");

const pathOf = ({ pieces }: QueueWorkspace) => `/api/content/${pieces[0]}`;

type Failed = { type?: ErrorType; error?: string; detail?: string };

async function ask({ caller }: QueueWorkspace, path: string, body?: object): Promise<Seen> {
  const answer = await caller.post<Failed>(path, body);
  return seenOf(String(answer.status), answer.body, answer.text);
}

async function askForStream({ caller }: QueueWorkspace, path: string): Promise<Seen> {
  const { text } = await caller.post(path, undefined, { accept: "text/event-stream" });
  const [, event = "", data = "{}"] = /event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? [];
  // What was shown at first may be taken back; the last event has what stays.
  return seenOf(event, event === "error" ? JSON.parse(data) : {}, data);
}

function seenOf(status: string, { type, error, detail }: Failed, answer: string): Seen {
  if (status === "200" || status === "done") return { status, type: "text", answer };
  return { status, ...(type && { type }), sentence: [error, detail].filter(Boolean).join(" "), answer };
}

/** Until the first attempt has ended. */
async function queueSection(mine: QueueWorkspace): Promise<Seen> {
  await mine.caller.post(contentQueueUrl(mine));
  const [item] = await eventually(
    async () => (await status(mine)).contentQueue,
    ([row]) => row !== undefined && row.status !== "processing" && (row.status !== "pending" || row.error !== null),
  );
  if (item?.status === "completed") return { status: item.status, type: "text", answer: "" };
  const held = await query("SELECT 1 FROM provider_waits WHERE user_id = $1 AND held_reason IS NOT NULL", [mine.id]);
  return { status: held.length > 0 ? "held" : (item?.status ?? ""), sentence: item?.error ?? "", answer: "" };
}

type Row = {
  provider: string;
  /** For each request in turn, the last one again. */
  faults: (Fault | null)[];
  prepare?: () => void;
  sees: ErrorType | "text";
  queue: "completed" | "pending" | "held" | "failed";
  calls?: CallName[];
  /** Of the assistant alone. */
  assistant?: Fault[];
};

const replay = (name: ReplayName): Fault => ({ kind: "replay", name });

function answers(name: ReplayName, tool?: ReplayName): Row {
  const row: Row = { provider: name, faults: [replay(name)], sees: "text", queue: "completed" };
  return tool ? { ...row, assistant: [replay(tool), replay(name)] } : { ...row, calls: WITHOUT_TOOLS };
}

function fails(name: ReplayName, sees: ErrorType, queue: Row["queue"]): Row {
  return { provider: name, faults: [replay(name)], sees, queue };
}

/** As the provider documents it. */
function refuses(what: string, provider: string, status: number, sees: ErrorType, queue: Row["queue"]): Row {
  const found = REFUSAL_CASES.find((one) => one.provider === provider && one.status === status && one.type === sees);
  if (!found) throw new Error(`There is no such refusal of ${provider}.`);
  const fault: Fault = { kind: "refusal", status, body: found.body };
  return { provider: `${provider}: ${status} ${what}`, faults: [fault], sees, queue };
}

const DAY = String(24 * 3600);

const TABLES: Record<string, Row[]> = {
  "Answers that are used": [
    answers("openai", "openai-tool"),
    answers("azure"),
    answers("openrouter"),
    answers("gemini", "gemini-tool"),
    answers("mistral"),
    answers("mistral-whole"),
    answers("deepseek", "deepseek-tool"),
    answers("deepseek-whole"),
    answers("groq", "groq-tool"),
    answers("groq-parsed"),
    answers("ollama", "ollama-tool"),
    answers("vllm", "vllm-tool"),
    answers("vllm-unopened"),
    answers("lmstudio", "lmstudio-tool"),
    answers("gateway"),
  ],
  "Answers that cannot be used": [
    fails("openai-refusal", "AI_DECLINED", "failed"),
    fails("azure-filtered", "AI_DECLINED", "failed"),
    fails("deepseek-no-room", "AI_BAD_ANSWER", "pending"),
    fails("openrouter-error", "AI_RATE_LIMITED", "pending"),
    fails("openrouter-error-whole", "AI_RATE_LIMITED", "pending"),
    fails("vllm-error", "AI_PROVIDER_ERROR", "pending"),
    fails("broken-off", "AI_PROVIDER_ERROR", "pending"),
  ],
  Refusals: [
    refuses("for a country", "OpenAI", 403, "AI_ACCESS_DENIED", "held"),
    refuses("for moderation", "OpenRouter", 403, "AI_DECLINED", "failed"),
    refuses("for a wrong key", "Gemini", 400, "INVALID_API_KEY", "held"),
    refuses("for a wrong key", "OpenAI", 401, "INVALID_API_KEY", "held"),
    {
      provider: "Groq: 413",
      faults: [{ kind: "token-limit", tokens: 100 }],
      sees: "AI_TOO_LARGE",
      queue: "failed",
    },
    {
      provider: "429 with a Retry-After of a day",
      faults: [{ kind: "rate-limit", retryAfter: DAY }],
      sees: "AI_RATE_LIMITED",
      queue: "pending",
    },
    {
      provider: "does not support tools",
      faults: [null],
      prepare: () => backend.ai.faults.refuses.add("tools"),
      sees: "text",
      queue: "completed",
    },
    refuses("no model of that name", "OpenAI", 404, "AI_ACCESS_DENIED", "held"),
  ],
};

type Cell = Seen & { provider: string; call: CallName; calls: number; tokens: number | undefined; rows: string };

const printed = new Map<string, Record<string, string | number | undefined>[]>();

afterAll(() => {
  for (const [title, rows] of printed) process.stdout.write(`\n### ${title}\n\n${markdownTable(rows)}\n`);
});

describe.each(Object.entries(TABLES))("%s", (title, rows) => {
  it.each(rows)("$provider: the same in every call, at most two calls each, and no thoughts kept", async (row) => {
    // What is learnt of a model belongs to it.
    const { env } = await import("@/lib/env");
    env.OPENAI_MODEL = row.provider.replace(/\W+/g, "-");
    row.prepare?.();
    const cells: Cell[] = [];
    for (const call of row.calls ?? ALL) cells.push(await tryCall(row, call));
    printed.set(title, [...(printed.get(title) ?? []), ...ALL.map((call) => line(row, call, cells))]);
    const wrong = cells.filter(({ call, type, status, calls, tokens, answer }) => {
      const isExpected = call === "section queued" ? status === row.queue : type === row.sees;
      const isCounted = tokens === undefined || type !== "text" || !hasUsage(row) || tokens > 0;
      return !isExpected || !isCounted || calls > 2 || THOUGHT.test(answer);
    });
    expect(wrong).toEqual([]);
  });
});

/** Words of the thoughts, and the marks around them. */
const THOUGHT = new RegExp(`${THOUGHTS.split(" ")[0]}|</?(?:think|thought)|<\\|`);

function hasUsage({ faults: [fault] }: Row): boolean {
  return fault?.kind === "replay" && REPLAYS[fault.name].body("An answer").includes("prompt_tokens");
}

async function tryCall(row: Row, call: CallName): Promise<Cell> {
  const mine = await workspaceWithPieces(backend, 1, call === "outline" ? undefined : "## Alpha\nFirst.");
  await mine.caller.post(`/api/topics/${mine.topicId}/keywords`, { keyword: "watering" });
  const before = await counts(mine.id);
  backend.ai.requests.length = 0;
  const faults = (call === "assistant with tools" && row.assistant) || row.faults;
  backend.ai.faults.next(faults.slice(0, -1));
  backend.ai.faults.mode = faults.at(-1) ?? null;
  const seen = await CALLS[call](mine);
  const calls = backend.ai.requests.length;
  const after = await counts(mine.id);
  const rows = Object.entries(after).flatMap(([name, count]) =>
    count === before[name] ? [] : `${name} +${count - (before[name] ?? 0)}`,
  );
  const tokens = STORES_TOKENS.has(call) ? await tokensOf(mine.id) : undefined;
  const answer = `${seen.answer} ${await storedTexts(mine.id)}`;
  await query("DELETE FROM processing_jobs WHERE user_id = $1", [mine.id]);
  return { ...seen, answer, provider: row.provider, call, calls, tokens, rows: rows.join(", ") };
}

/** An answer that no row keeps has its tokens in the telemetry alone. */
const STORES_TOKENS = new Set<CallName>(["outline", "section streamed", "section queued", "assistant with tools"]);

const PIECES = "SELECT id FROM content_pieces WHERE user_id = $1";
const MESSAGES = "SELECT m.* FROM chat_messages m JOIN chat_sessions s ON s.id = m.session_id WHERE s.user_id = $1";

async function counts(userId: string): Promise<Record<string, number>> {
  const [row] = await query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM (${PIECES}) p)::int AS pieces,
       (SELECT count(*) FROM topics WHERE user_id = $1)::int AS topics,
       (SELECT count(*) FROM keywords k JOIN topics t ON t.id = k.topic_id WHERE t.user_id = $1)::int AS keywords,
       (SELECT count(*) FROM content_revisions WHERE author = 'ai' AND content_piece_id IN (${PIECES}))::int AS "AI revisions",
       (SELECT count(*) FROM written_sections WHERE content_piece_id IN (${PIECES}) AND breaks = 0)::int AS sections,
       (SELECT count(*) FROM written_sections WHERE content_piece_id IN (${PIECES}) AND breaks > 0)::int AS unfinished,
       (SELECT count(*) FROM (${MESSAGES}) m)::int AS messages,
       (SELECT count(*) FROM processing_queue WHERE user_id = $1)::int AS items`,
    [userId],
  );
  return row ?? {};
}

async function tokensOf(userId: string): Promise<number> {
  const [row] = await query<{ tokens: number }>(
    `SELECT greatest(
       (SELECT sum(tokens_in + tokens_out) FROM content_revisions WHERE author = 'ai' AND content_piece_id IN (${PIECES})),
       (SELECT sum(tokens_in + tokens_out) FROM processing_queue WHERE user_id = $1),
       (SELECT sum(tokens_in + tokens_out) FROM (${MESSAGES}) m), 0)::int AS tokens`,
    [userId],
  );
  return row?.tokens ?? 0;
}

/** Everything that may hold an AI's words. */
async function storedTexts(userId: string): Promise<string> {
  const [row] = await query<{ text: string }>(
    `SELECT concat_ws(' ',
       (SELECT string_agg(concat_ws(' ', title, body, outline, angle, intent), ' ') FROM content_pieces WHERE user_id = $1),
       (SELECT string_agg(concat_ws(' ', title, body, outline), ' ') FROM content_revisions WHERE content_piece_id IN (${PIECES})),
       (SELECT string_agg(concat_ws(' ', heading, text), ' ') FROM written_sections WHERE content_piece_id IN (${PIECES})),
       (SELECT string_agg(content, ' ') FROM (${MESSAGES}) m),
       (SELECT string_agg(concat_ws(' ', name, description), ' ') FROM topics WHERE user_id = $1)) AS text`,
    [userId],
  );
  return row?.text ?? "";
}

function line({ provider }: Row, call: CallName, cells: Cell[]): Record<string, string | number | undefined> {
  const cell = cells.find((one) => one.call === call);
  const sees = cell && [cell.status, cell.type, cell.sentence].filter(Boolean).join(" ");
  return { provider, call, sees, calls: cell?.calls, tokens: cell?.tokens, "new rows": cell?.rows };
}
