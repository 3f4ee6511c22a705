import { createHash, randomUUID } from "node:crypto";
import type { Engine } from "@/inngest/local-server/engine";
import { canonicalJson, signBody } from "@/inngest/local-server/signature";
import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

// The requests of Inngest's own servers (`inngest start`, Cloud), from their source: pkg/deploy, pkg/execution/driver.

type Method = "GET" | "POST" | "PUT";
type Endpoint = Record<Method, (request: Request, context: unknown) => Promise<Response>>;
type Operation = { id: string; op: string; name?: string; data?: unknown };

const ADDRESS = "http://localhost:3000/api/inngest";
const GO = { "user-agent": "Go-http-client/1.1", "accept-encoding": "gzip" };

let backend: Backend;
let endpoint: Endpoint;
let register: jest.SpiedFunction<Engine["register"]>;

beforeAll(async () => {
  backend = await startBackend();
  endpoint = (await import("@/app/api/inngest/route")) as unknown as Endpoint;
});
afterAll(() => backend.close());
beforeEach(() => {
  register = jest.spyOn(backend.engine.engine, "register");
  // This test is the server; the embedded engine only accepts registrations and events.
  jest.spyOn(backend.engine.engine, "sync").mockResolvedValue(undefined);
  jest.spyOn(backend.engine.engine, "ingest").mockReturnValue("taken");
  backend.ai.requests.length = 0;
});
afterEach(() => jest.restoreAllMocks());

const key = () => process.env.INNGEST_SIGNING_KEY ?? "";

async function send(method: Method, address: string, body: string | undefined, headers: Record<string, string> = {}) {
  const answer = await endpoint[method](
    new Request(address, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...GO,
        "x-inngest-server-kind": "cloud",
        "x-inngest-signature": signBody(body ?? "", key(), Date.now()),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    }),
    { params: Promise.resolve({}) },
  );
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Inngest checks the signature of the response to a registration. */
function expectSigned({ headers, text }: { headers: Headers; text: string }): void {
  const signature = headers.get("x-inngest-signature") ?? "";
  const seconds = Number(new URLSearchParams(signature).get("t"));
  expect(signature).toBe(signBody(text, key(), seconds * 1000));
}

describe("registration", () => {
  it("answers the PUT of `inngest start --sdk-url` by registering under the signing key's hash", async () => {
    const answer = await send("PUT", ADDRESS, JSON.stringify({ url: ADDRESS }));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { message: "Successfully registered", modified: expect.any(Boolean) },
    ]);
    expect(answer.headers.get("x-inngest-sdk")).toMatch(/^inngest-js:v4/);
    expect(register).toHaveBeenCalledTimes(1);
  });

  it("accepts the PUT of an address with a query, which Go escapes in JSON", async () => {
    const address = `${ADDRESS}?a=1&b=<2>`;
    const escaped = JSON.stringify({ url: address }).replace(
      /[&<>]/g,
      (one) => `\\u00${one.charCodeAt(0).toString(16)}`,
    );
    const body = canonicalJson({ url: address });
    const answer = await send("PUT", ADDRESS, escaped, { "x-inngest-signature": signBody(body, key(), Date.now()) });
    expect(answer.status).toBe(200);
  });

  it("accepts a PUT without a body, as older servers and deploy webhooks send it", async () => {
    const answer = await send("PUT", `${ADDRESS}?deployId=01HZ00000000000000000000AB`, undefined);
    expect(answer.status).toBe(200);
    expect(register).toHaveBeenCalledTimes(1);
  });

  it("answers Inngest Cloud's sync in band, signed", async () => {
    const body = canonicalJson({ url: ADDRESS });
    const answer = await send("PUT", ADDRESS, body, { "x-inngest-sync-kind": "in_band" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-inngest-sync-kind")).toBe("in_band");
    expect(answer.headers.get("x-inngest-expected-server-kind")).toBe("cloud");
    expect(JSON.parse(answer.text)).toMatchObject({
      app_id: "content-planner",
      url: ADDRESS,
      inspection: { authentication_succeeded: true, mode: "cloud" },
    });
    expectSigned(answer);
    expect(register).not.toHaveBeenCalled();
  });
});

describe("queries", () => {
  it("answers Inngest Cloud's inspection of the app, signed", async () => {
    const answer = await send("GET", ADDRESS, undefined);
    expect(JSON.parse(answer.text)).toMatchObject({ authentication_succeeded: true, has_signing_key: true });
    expectSigned(answer);
  });

  it("answers the probe that checks for the same key", async () => {
    const answer = await send("POST", `${ADDRESS}?probe=trust`, "{}");
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expectSigned(answer);
  });
});

const EVENTS = { "generate-outlines": "jobs/outline-item.queued", "write-content": "jobs/content-item.queued" };

/** Drives a run until the function ends, as Inngest's executor does. */
async function drive(
  fn: keyof typeof EVENTS,
  data: Record<string, unknown>,
): Promise<{ status: number; text: string; calls: number }> {
  const event = { id: randomUUID(), name: EVENTS[fn], data, ts: Date.now(), user: {} };
  const runId = `01HZ${createHash("sha256").update(event.id).digest("hex").slice(0, 22).toUpperCase()}`;
  const fnId = randomUUID();
  const steps: Record<string, unknown> = {};
  const stack: string[] = [];
  for (let calls = 1; ; calls++) {
    const body = canonicalJson({
      event,
      events: [event],
      steps,
      version: calls === 1 ? -1 : 2,
      use_api: false,
      ctx: {
        fn_id: fnId,
        run_id: runId,
        env: "",
        step_id: "step",
        attempt: 0,
        max_attempts: 21,
        qi_id: createHash("sha256").update(`${runId} ${calls}`).digest("hex"),
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack, current: stack.length },
      },
    });
    const answer = await send("POST", `${ADDRESS}?fnId=content-planner-${fn}&stepId=step`, body, {
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "x-run-id": runId,
      "x-request-id": randomUUID(),
      "x-inngest-job-id": randomUUID(),
      "x-inngest-generation-id": "0",
    });
    if (answer.status !== 206) return { ...answer, calls };
    expect(answer.headers.get("x-inngest-req-version")).toBe("2");
    for (const { id, op, data: result } of JSON.parse(answer.text) as Operation[]) {
      expect(op).toBe("StepRun");
      steps[id] = { type: "data", data: result ?? null };
      stack.push(id);
    }
  }
}

describe("runs", () => {
  const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.";

  async function queued(kind: "outline" | "all-content", outline?: string) {
    const workspace = await newWorkspace();
    await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    const pieceId = await newPiece(workspace, workspace, { title: "Peat-free seed mixes" });
    if (outline) await workspace.caller.patch(`/api/content/${pieceId}`, { outline });
    const { body } = await workspace.caller.post<{ jobId: string }>(
      `/api/topics/${workspace.topicId}/generate-${kind}-queue`,
    );
    const [item] = await query<{ id: string }>("SELECT id FROM processing_queue WHERE job_id = $1", [body.jobId]);
    const dispatch = `${item?.id}-0`;
    return { jobId: body.jobId, data: { itemId: item?.id, jobId: body.jobId, userId: workspace.id, dispatch } };
  }

  const statusOf = (jobId: string) =>
    query<{ status: string; attempts: number }>(
      `SELECT j.status::text, q.retry_count AS attempts FROM processing_jobs j JOIN processing_queue q ON q.job_id = j.id
       WHERE j.id = $1`,
      [jobId],
    );

  it("writes an outline with one call to the provider", async () => {
    const { jobId, data } = await queued("outline");
    expect(await drive("generate-outlines", data)).toMatchObject({ status: 200, calls: 1 });
    expect(await statusOf(jobId)).toEqual([{ status: "completed", attempts: 0 }]);
    expect(backend.ai.requests).toHaveLength(1);
  });

  it("writes a text with one call to the provider per section", async () => {
    const { jobId, data } = await queued("all-content", OUTLINE);
    expect(await drive("write-content", data)).toMatchObject({ status: 200, calls: 3 });
    expect(await statusOf(jobId)).toEqual([{ status: "completed", attempts: 0 }]);
    expect(backend.ai.requests).toHaveLength(2);
  });
});
