import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { type CollectedSpan, type Collector, startCollector } from "@/tests/support/collector";
import { newTopicOfPieces, queueJob } from "@/tests/support/http-caller";
import { type OwnDeployment, startOwnDeployment } from "@/tests/support/own-deployment";

// The production build with a collector, as OTEL_EXPORTER_OTLP_ENDPOINT turns it on.

const OUTLINE = "## Sowing secret\nWhat nobody should read.\n\n## Harvest secret\nNor this.";
const OFTEN = {
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "200",
  OTEL_METRIC_EXPORT_INTERVAL: "500",
};

let collector: Collector;
let own: OwnDeployment;
const lines: string[] = [];

test.beforeAll(async () => {
  collector = await startCollector();
  own = await startOwnDeployment({
    ...OFTEN,
    OTEL_METRIC_EXPORT_TIMEOUT: "400",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: "warn",
  });
  const { port } = await own.startProcess((line) => lines.push(line));
  own.balancer.switchTo(port);
});
test.afterAll(async () => {
  await own.close();
  await collector.close();
});

async function untilSpan(matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
  let found: CollectedSpan | undefined;
  await expect.poll(() => (found = collector.spans().find(matches)), { timeout: 15_000 }).toBeTruthy();
  return found as CollectedSpan;
}

const traceOf = ({ traceId }: CollectedSpan) => collector.spans().filter((span) => span.traceId === traceId);

test("leads from a request to its statements, its AI calls and its log lines, and says nothing of what people write", async () => {
  test.setTimeout(120_000);
  const call = await own.signIn();
  const { topicId, pieces } = await newTopicOfPieces(call, "Planting secret", 2, { outline: OUTLINE });

  await test.step("an API call is a span by its route, with its operation, its request id and its statements", async () => {
    await call("GET", `/api/content/${pieces[0]}?unused=query-secret`);
    const named = await untilSpan(({ attributes }) => attributes["planner.operation"] === "getContent");
    expect(named.attributes["planner.request_id"]).toMatch(/^[0-9a-f-]{36}$/);
    await untilSpan((span) => span.traceId === named.traceId && span.name === "GET /api/content/[id]");
    const statements = traceOf(named).filter(
      ({ attributes }) => attributes["db.statement"] ?? attributes["db.query.text"],
    );
    expect(statements.length).toBeGreaterThan(0);
  });

  await test.step("an item of a queue is named on the trace of the call that works on it, with its AI calls", async () => {
    const { jobId } = await call<{ jobId: string }>("POST", `/api/topics/${topicId}/generate-all-content-queue`);
    await expect.poll(async () => (await queueJob(call, jobId))?.completedAt, { timeout: 30_000 }).toBeTruthy();
    // Each step of an item is a trace of its own; those that ask the provider have its call in them.
    const isOfJob = ({ attributes }: CollectedSpan) => attributes["planner.job_id"] === jobId;
    const asked = await untilSpan((span) => span.name.startsWith("chat ") && traceOf(span).some(isOfJob));
    expect(asked.attributes).toMatchObject({ "gen_ai.operation.name": "chat" });
    expect(Number(asked.attributes["gen_ai.usage.output_tokens"])).toBeGreaterThan(0);
  });

  await test.step("a failure of the provider has its type, and its log line leads to the trace", async () => {
    own.ai.faults.mode = { kind: "server-error" };
    const failed = await call("POST", `/api/topics/${topicId}/suggest-keywords`, {}).catch(
      (error: Error) => error.message,
    );
    own.ai.faults.clear();
    expect(failed).toMatch(/: 50\d /);
    const asked = await untilSpan(({ attributes }) => attributes["error.type"] === "AI_PROVIDER_ERROR");
    const logged = () => lines.find((line) => line.includes("request failed") && line.includes(asked.traceId));
    await expect.poll(logged).toBeTruthy();
    const { trace_id, requestId } = JSON.parse(logged() ?? "{}");
    expect(trace_id).toBe(asked.traceId);
    await untilSpan((span) => span.traceId === trace_id && span.attributes["planner.request_id"] === requestId);
  });

  await test.step("publishing is counted, and the queue's state is measured", async () => {
    await call("POST", `/api/content/${pieces[0]}/publish`, {});
    const names = () => new Set(collector.metrics().map(({ name }) => name));
    const wanted = [
      ...["planner.call.duration", "gen_ai.client.operation.duration", "gen_ai.client.token.usage"],
      ...["planner.publishing.writes", "planner.queue.items", "planner.queue.oldest_wait", "planner.engine.away"],
      ...["planner.db.connections", "planner.log.lines", "nodejs.eventloop.delay.p99", "http.client.request.duration"],
    ];
    await expect.poll(() => wanted.filter((name) => !names().has(name)), { timeout: 15_000 }).toEqual([]);
    expect(collector.metrics()).toContainEqual({ name: "planner.publishing.writes", attributes: { outcome: "done" } });
  });

  await test.step("the address that WordPress sends the browser back to is in no span and no line", async () => {
    const { authorizeUrl } = await call<{ authorizeUrl: string }>("POST", "/api/wordpress/connect", {
      url: own.site.url,
    });
    const back = new URL(new URL(authorizeUrl).searchParams.get("success_url") ?? "");
    const state = back.pathname.split("/").pop() ?? "";
    const given = new URLSearchParams({ site_url: own.site.url, user_login: "login-secret", password: "given-secret" });
    for (const headers of [call.headers, {}]) {
      const url = `${own.balancer.origin}${back.pathname}?${given}`;
      const answer = await fetch(url, { headers, redirect: "manual" });
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toMatch(headers === call.headers ? /=ok$/ : /=expired$/);
    }
    const isReturn = ({ attributes }: CollectedSpan) => attributes["planner.operation"] === "finishConnectingWordpress";
    await expect.poll(() => collector.spans().filter(isReturn).length, { timeout: 15_000 }).toBe(2);
    await untilSpan(({ name }) => name === "GET /api/wordpress/connected/[state]");
    const shown = [collector.everything(), ...lines].filter((text) =>
      [state, "-secret"].some((each) => text.includes(each)),
    );
    expect(shown).toEqual([]);
  });

  await test.step("nothing that a user wrote, and no key, is in it", async () => {
    const everything = collector.everything();
    for (const secret of [
      "secret",
      "Sowing",
      "demo-planner-2026",
      own.ai.apiKey,
      own.site.applicationPassword,
      own.keys.eventKey,
      own.keys.signingKey,
    ]) {
      expect([secret, everything.includes(secret)]).toEqual([secret, false]);
    }
    const keys = new Set(collector.spans().flatMap(({ attributes }) => Object.keys(attributes)));
    expect(
      [...keys].filter((key) => /header|cookie|agent|body|param|message|stack|query$|target|path/.test(key)),
    ).toEqual([]);
  });
});

test("an endpoint that hangs or refuses costs one line and no time", async () => {
  test.setTimeout(120_000);
  const held: Server = createServer(() => undefined);
  await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve));
  const hanging = `http://127.0.0.1:${(held.address() as AddressInfo).port}`;
  const printed: string[] = [];
  const other = await startOwnDeployment({
    ...OFTEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: hanging,
    OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    OTEL_METRIC_EXPORT_TIMEOUT: "400",
    LOG_LEVEL: "info",
  });
  try {
    const { app, port } = await other.startProcess((line) => printed.push(line));
    const times: number[] = [];
    for (let n = 0; n < 40; n++) {
      const began = performance.now();
      expect((await fetch(`http://127.0.0.1:${port}/api/ready`)).status).toBe(200);
      times.push(performance.now() - began);
    }
    const told = () => printed.filter((line) => line.includes("the telemetry endpoint does not take spans")).length;
    await expect.poll(told, { timeout: 15_000 }).toBe(1);
    for (let n = 0; n < 40; n++) await fetch(`http://127.0.0.1:${port}/api/ready`);
    expect(told()).toBe(1);
    expect(times.sort((a, b) => a - b)[20]).toBeLessThan(200);
    const began = performance.now();
    await app.stop(20_000);
    expect((await app.ended).code).toBe(143);
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    await other.close();
    held.closeAllConnections();
    held.close();
  }
});
