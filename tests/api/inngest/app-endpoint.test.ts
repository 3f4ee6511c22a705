import type { Engine } from "@/inngest/local-server/engine";
import { canonicalJson, signBody } from "@/inngest/local-server/signature";
import { type Backend, startBackend } from "@/tests/support/backend";
import { cpuTimeOf } from "@/tests/support/cpu-time";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

// /api/inngest accepts nothing from strangers, in any form (S23).

type Method = "GET" | "POST" | "PUT";
type Endpoint = Record<Method, (request: Request, context: unknown) => Promise<Response>>;
type Call = { headers?: Record<string, string>; body?: string | ReadableStream<Uint8Array>; query?: string };

const OTHER_KEY = `signkey-test-${"cd".repeat(32)}`;
const ADDRESS = "http://localhost:3000/api/inngest";
const SWEEP = "?fnId=content-planner-sweep-queues&stepId=step";

let backend: Backend;
let endpoint: Endpoint;
let registered: jest.SpiedFunction<Engine["register"]>;

beforeAll(async () => {
  backend = await startBackend();
  endpoint = (await import("@/app/api/inngest/route")) as unknown as Endpoint;
  const workspace = await newWorkspace();
  await newPiece(workspace, workspace);
});
afterAll(() => backend.close());
beforeEach(() => {
  registered = jest.spyOn(backend.engine.engine, "register");
  // The engine syncs every few seconds; only requests to its port count here.
  jest.spyOn(backend.engine.engine, "sync").mockResolvedValue(undefined);
});
afterEach(() => jest.restoreAllMocks());

async function callApp(method: Method, { headers = {}, body, query: search = "" }: Call = {}) {
  const request = new Request(ADDRESS + search, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body, duplex: "half" }),
  } as RequestInit);
  const answer = await endpoint[method](request, { params: Promise.resolve({}) });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Everything that a call could change or cost. */
async function effects() {
  const [jobs, items, pieces] = await Promise.all(
    ["processing_jobs", "processing_queue", "content_pieces"].map((table) =>
      // Each row's version, not its text: other suites have left hundreds of megabytes here.
      query(`SELECT md5(coalesce(string_agg(t.ctid::text || t.xmin, ';' ORDER BY t.ctid), '')) AS sum FROM ${table} t`),
    ),
  );
  return { jobs, items, pieces, calls: backend.ai.requests.length, registered: registered.mock.calls.length };
}

const timer = { name: "inngest/scheduled.timer", data: {} };
const call = canonicalJson({
  event: timer,
  events: [timer],
  steps: {},
  ctx: { run_id: "01HZ00000000000000000000AA", attempt: 0, stack: { stack: [], current: 0 } },
});
const sync = canonicalJson({ url: ADDRESS });
const bodyOf = (method: Method) => ({ GET: undefined, POST: call, PUT: sync })[method];

const key = () => process.env.INNGEST_SIGNING_KEY ?? "";
const signed = (body: string, now = Date.now(), by = key()) => ({ "x-inngest-signature": signBody(body, by, now) });

const MINUTE = 60_000;
const UNPROVED: Record<string, (body: string) => Record<string, string>> = {
  unsigned: () => ({}),
  "wrongly signed": (body) => signed(body, Date.now(), OTHER_KEY),
  "signed for another body": () => signed('{"another":"body"}'),
  stale: (body) => signed(body, Date.now() - 6 * MINUTE),
  "dated ahead": (body) => signed(body, Date.now() + 6 * MINUTE),
  "signed with nonsense": () => ({ "x-inngest-signature": "t=&s=\0%ff".replace("\0", "") }),
};

const FORMS: Record<string, (method: Method) => Call> = {
  plain: (method) => ({ body: bodyOf(method) }),
  "from a foreign Host": (method) => ({ body: bodyOf(method), headers: { host: "stranger.example" } }),
  "forwarded for a foreign Host": (method) => ({
    body: bodyOf(method),
    headers: { "x-forwarded-host": "stranger.example", "x-forwarded-proto": "https" },
  }),
  "asking to sync in band": (method) => ({ body: bodyOf(method), headers: { "x-inngest-sync-kind": "in_band" } }),
  "in band without a body": () => ({ headers: { "x-inngest-sync-kind": "in_band" } }),
  "without a body": () => ({}),
  "with an empty object": (method) => (method === "GET" ? {} : { body: "{}" }),
  "with null": (method) => (method === "GET" ? {} : { body: "null" }),
  "with what is not JSON": (method) => (method === "GET" ? {} : { body: "{not json" }),
  "of another type": (method) =>
    method === "GET" ? {} : { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } },
  "as a probe": (method) => ({ body: bodyOf(method), query: "?probe=trust" }),
};

function expectNoTrace(text: string) {
  expect(text).not.toMatch(/\n?\s+at\s|node_modules|\.(ts|js|mjs|cjs):\d|file:\/\//);
  expect(text).not.toMatch(/"stack":"[^"]/);
}

describe("an unauthenticated call", () => {
  it.each(
    (["GET", "POST", "PUT"] as const).flatMap((method) =>
      Object.keys(UNPROVED).flatMap((proof) => Object.keys(FORMS).map((form) => [method, proof, form] as const)),
    ),
  )("is refused: %s, %s, %s", async (method, proof, form) => {
    const before = await effects();
    const { headers, body, query: search } = FORMS[form]?.(method) ?? {};
    const proofOf = UNPROVED[proof]?.(typeof body === "string" ? body : "");
    const answer = await callApp(method, {
      headers: { ...headers, ...proofOf },
      ...(body === undefined ? {} : { body }),
      query: search ?? (method === "POST" ? SWEEP : ""),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expectNoTrace(answer.text);
    expect(await effects()).toEqual(before);
  });

  /** How many of the 65,536 bytes each of a body of 20 MB the app has asked for, and its answer. */
  async function pulledFrom(method: Method, headers: Record<string, string>) {
    let pulled = 0;
    const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
      if (pulled === 320) return stream.close();
      stream.enqueue(new Uint8Array(65_536).fill(pulled++ === 0 ? 0x5b : 0x20));
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const { status } = await callApp(method, { body, headers, query: SWEEP });
    return { status, pulled };
  }

  it.each(["POST", "PUT"] as const)("refuses a %s of 20 MB in pieces without reading it to its end", async (method) => {
    const before = await effects();
    for (const headers of [signed(call), signed(call, Date.now(), OTHER_KEY)]) {
      const { status, pulled } = await pulledFrom(method, headers);
      expect(status).toBe(413);
      expect(pulled * 65_536).toBeLessThan(6 * 1_048_576);
    }
    expect(await effects()).toEqual(before);
  });

  it.each([
    ["no signature", undefined],
    ["no time", `s=${"a".repeat(64)}`],
    ["a time long ago", `t=${Math.round(Date.now() / 1000) - 600}&s=${"a".repeat(64)}`],
    ["a time to come", `t=${Math.round(Date.now() / 1000) + 600}&s=${"a".repeat(64)}`],
    ["a signature that is too short", `t=${Math.round(Date.now() / 1000)}&s=${"a".repeat(63)}`],
    ["a signature that is not hexadecimal", `t=${Math.round(Date.now() / 1000)}&s=${"z".repeat(64)}`],
  ])("is refused before a byte of its body is read: %s", async (_what, signature) => {
    const headers: Record<string, string> = signature ? { "x-inngest-signature": signature } : {};
    expect(await pulledFrom("POST", headers)).toEqual({ status: 401, pulled: 0 });
  });

  it("takes less than a second with a body that is expensive to parse", async () => {
    const bodies = [`[${"1,".repeat(1_900_000)}1]`, `${"[".repeat(1_900_000)}${"]".repeat(1_900_000)}`];
    for (const body of bodies) {
      const cost = await cpuTimeOf(async () => {
        const answer = await callApp("POST", { body, headers: signed(call), query: SWEEP });
        expect(answer.status).toBe(413);
      });
      expect(cost).toBeLessThan(1_000);
    }
  });

  it("has no other method", () => {
    const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    expect(methods.filter((method) => method in endpoint)).toEqual(["GET", "POST", "PUT"]);
  });
});

describe("a signed call that makes no sense", () => {
  const asked: [string, Method, Call & { body?: string }, number][] = [
    ["in band, without a body", "PUT", { headers: { "x-inngest-sync-kind": "in_band" } }, 400],
    ["in band, with null", "PUT", { body: "null", headers: { "x-inngest-sync-kind": "in_band" } }, 400],
    ["in band, without an address", "PUT", { body: "{}", headers: { "x-inngest-sync-kind": "in_band" } }, 400],
    [
      "in band, with half an address",
      "PUT",
      { body: '{"url":"/x"}', headers: { "x-inngest-sync-kind": "in_band" } },
      500,
    ],
    ["a call without a body", "POST", { query: SWEEP }, 400],
    ["a call that is a list", "POST", { body: "[]", query: SWEEP }, 400],
    ["a call that is not JSON", "POST", { body: "{not json", query: SWEEP }, 400],
    ["a call of a function that is not ours", "POST", { body: call, query: "?fnId=stranger&stepId=step" }, 500],
    ["a call of none", "POST", { body: canonicalJson({ ...JSON.parse(call), x: 1 }) }, 500],
    ["a call of another shape", "POST", { body: '{"event":{},"steps":7}', query: SWEEP }, 500],
    ["an unknown probe", "POST", { body: '{"x":2}', query: "?probe=else" }, 400],
  ];

  it.each(asked)("answers %s without a stack", async (_what, method, { headers, body, query: search }, status) => {
    const before = await effects();
    const answer = await callApp(method, {
      headers: { ...headers, ...signed(body ?? "") },
      ...(body === undefined ? {} : { body }),
      query: search ?? "",
    });
    expect(answer.status).toBe(status);
    expectNoTrace(answer.text);
    expect(await effects()).toEqual(before);
  });
});

describe("the calls of our own engine and of real ones", () => {
  it.each([
    ["its own Host", {}],
    ["a foreign Host", { host: "stranger.example" }],
    ["a foreign X-Forwarded-Host", { "x-forwarded-host": "stranger.example", host: "stranger.example" }],
  ])("register the app under its own address despite %s", async (_what, headers: Record<string, string>) => {
    const answer = await callApp("PUT", { body: sync, headers: { ...headers, ...signed(sync) } });
    expect(answer.status).toBe(200);
    expect(addressesOf(registered.mock.calls[0]?.[0])).toEqual(["http://localhost:3000/api/inngest"]);
  });

  it("are answered in band with the app's own address, whatever address they name", async () => {
    const body = canonicalJson({ url: "https://stranger.example//evil.example/api/inngest?x=1" });
    const headers = { "x-inngest-sync-kind": "in_band", ...signed(body) };
    const answer = await callApp("PUT", { body, headers });
    expect(answer.status).toBe(200);
    expect(addressesOf(JSON.parse(answer.text).functions)).toEqual(["http://localhost:3000/api/inngest"]);
    expect(answer.text).not.toContain("stranger.example");
  });

  it("are shown the app's functions if signed", async () => {
    const answer = await callApp("GET", { headers: signed("") });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      expect.objectContaining({
        authentication_succeeded: true,
        function_count: 9,
        serve_origin: "http://localhost:3000",
      }),
    ]);
  });

  it("are accepted if signed", async () => {
    expect((await callApp("POST", { body: call, headers: signed(call), query: SWEEP })).status).toBe(206);
  });

  it("are accepted at the size that Inngest sends", async () => {
    // 4 MiB of state, and as many values as a run of 1,000 steps has.
    const event = { ...timer, data: { text: "x".repeat(4 * 1_048_576), values: Array(7_000).fill({}) } };
    const body = canonicalJson({ ...JSON.parse(call), event });
    const answer = await callApp("POST", { body, headers: signed(body), query: SWEEP });
    expect(answer.status).toBe(206);
  });
});

describe("an engine that was away", () => {
  let presence: typeof import("@/lib/events/presence");
  const isAway = async () => (await presence.engineAwaySince()) !== null;

  beforeAll(async () => {
    presence = await import("@/lib/events/presence");
  });
  beforeEach(() => presence.markEngineAway());
  afterAll(() => query("UPDATE engine_state SET away_since = NULL"));

  it("is back with its next signed call", async () => {
    const { ctx, ...rest } = JSON.parse(call);
    const body = canonicalJson({ ...rest, ctx: { ...ctx, run_id: "01HZ00000000000000000000AB" } });
    expect((await callApp("POST", { body, headers: signed(body), query: SWEEP })).status).toBe(206);
    expect(await isAway()).toBe(false);
  });

  it("is not back with a call that it has not signed, or with the app's own registration", async () => {
    expect(
      (await callApp("POST", { body: call, headers: signed(call, Date.now(), OTHER_KEY), query: SWEEP })).status,
    ).toBe(401);
    expect((await callApp("PUT", { body: sync, headers: signed(sync) })).status).toBe(200);
    expect(await isAway()).toBe(true);
  });

  const inngestSays = async (status: number, headers: Record<string, string> = {}) => {
    const { guardEndpoint } = await import("@/lib/events/endpoint");
    const backs: string[] = [];
    const endpointOf = guardEndpoint(
      async () => new Response("{}", { status, headers }),
      async () => backs.push("back"),
    );
    const headersOf = { "content-type": "application/json", ...signed(call) };
    for (let times = 0; times < 2; times++)
      await endpointOf(new Request(ADDRESS + SWEEP, { method: "POST", body: call, headers: headersOf }));
    await new Promise(setImmediate);
    return backs;
  };

  it.each<[string, number, Record<string, string>]>([
    ["a run that goes on", 206, {}],
    ["a run that failed", 500, { "x-inngest-no-retry": "false" }],
  ])("has the waiting work sent once, after the first call of %s", async (_what, status, headers) => {
    expect(await inngestSays(status, headers)).toEqual(["back"]);
  });

  it("is not back with a call that reaches no function", async () => {
    expect(await inngestSays(500)).toEqual([]);
    expect(await isAway()).toBe(true);
  });
});

function addressesOf(functions: unknown): string[] {
  const list = functions as { steps: { step: { runtime: { url: string } } } }[];
  expect(list).toHaveLength(9);
  return [...new Set(list.map(({ steps }) => steps.step.runtime.url.replace(/\?.*/, "")))];
}
