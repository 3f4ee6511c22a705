import http from "node:http";
import type { AddressInfo } from "node:net";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

// With INNGEST_DEV the dev server's unsigned calls are accepted from this machine, but not from web pages.

type Method = "GET" | "POST" | "PUT";
type Endpoint = Record<Method, (request: Request, context: unknown) => Promise<Response>>;

const HERE = { host: "localhost:3000", "x-forwarded-for": "::1", "x-forwarded-host": "localhost:3000" };
const SWEEP = "?fnId=content-planner-sweep-queues&stepId=step";

let server: http.Server;
let endpoint: Endpoint;
let registrations: { functions: { steps: { step: { runtime: { url: string } } } }[] }[];

beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.url?.startsWith("/fn/register")) registrations.push(JSON.parse(text));
    response.end(JSON.stringify({ ok: true, modified: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.INNGEST_DEV = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.INNGEST_SERVE_ORIGIN = "http://127.0.0.1:3000/elsewhere";
  endpoint = (await import("@/app/api/inngest/route")) as unknown as Endpoint;
  const workspace = await newWorkspace();
  await newPiece(workspace, workspace);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  registrations = [];
});

async function statusOf(method: Method, headers: Record<string, string>): Promise<number> {
  const event = { name: "inngest/scheduled.timer", data: {} };
  const body = { event, events: [event], steps: {}, ctx: { run_id: "run", attempt: 0 } };
  const answer = await endpoint[method](
    new Request(`http://localhost:3000/api/inngest${method === "POST" ? SWEEP : ""}`, {
      method,
      headers: { "content-type": "application/json", "x-inngest-server-kind": "dev", ...headers },
      ...(method === "GET" ? {} : { body: JSON.stringify(method === "POST" ? body : { url: "http://x.example" }) }),
    }),
    { params: Promise.resolve({}) },
  );
  expect(await answer.text()).not.toMatch(/"stack":"[^"]|node_modules/);
  return answer.status;
}

const METHODS: [Method, number][] = [
  ["GET", 200],
  ["PUT", 200],
  ["POST", 206],
];

it.each(METHODS)("accepts a %s of the dev server on this machine", async (method, status) => {
  expect(await statusOf(method, HERE)).toBe(status);
});

it("registers under INNGEST_SERVE_ORIGIN, whatever the request's Host", async () => {
  await statusOf("PUT", HERE);
  const addresses = registrations.flatMap(({ functions }) => functions.map(({ steps }) => steps.step.runtime.url));
  expect(addresses).toHaveLength(9);
  for (const address of addresses) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/inngest\?/);
});

it.each(
  METHODS.flatMap(([method]) =>
    Object.entries<Record<string, string>>({
      "a page's": { origin: "http://localhost:3000" },
      "an opaque page's": { origin: "null" },
      "a page's without an origin": { "sec-fetch-site": "cross-site" },
      "another machine's": { "x-forwarded-for": "192.168.1.20" },
      "another machine's, forwarded here,": { "x-forwarded-for": "192.168.1.20, 127.0.0.1" },
      "an unknown machine's": { "x-forwarded-for": "unknown" },
      "a rebound name's": { host: "stranger.example" },
      "a proxy's, for another host,": { "x-forwarded-host": "stranger.example" },
    }).map(([whose, headers]) => [whose, method, headers] as const),
  ),
)("refuses %s %s", async (_whose, method, headers) => {
  const queued = () => query("SELECT md5(coalesce(string_agg(q::text, ';'), '')) AS sum FROM processing_queue q");
  const before = await queued();
  expect(await statusOf(method, { ...HERE, ...headers })).toBe(403);
  expect(registrations).toEqual([]);
  expect(await queued()).toEqual(before);
});
