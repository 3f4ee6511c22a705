import { inspect } from "node:util";
import fc from "fast-check";
import { type Backend, startBackend } from "@/tests/support/backend";
import { newUser } from "@/tests/support/factories";
import { type HostileRequest, hostileRequests, LIBRARY_WORDS } from "@/tests/support/hostile";
import { buildRequest, listOperations, operationNames, paramsOf, specOf } from "@/tests/support/operations";
import { newWorld, type World } from "@/tests/support/world";

const TWO_MEGABYTES = 2_097_152;
/** Long enough for 500 sign-ins on a busy machine. */
const MOST_MS = 300_000;
/** Inputs sent at once: there are fewer pauses than one by one. */
const AT_ONCE = 4;
/**
 * No input changes what this reads, so each call is made by a new, empty account: it also lists its own earlier calls,
 * and the 500th would be much slower than the first.
 */
const ARCHIVE = "GET /api/user/export";

/** What a response must never show: a stack, a source file, a statement, the database client's messages. */
const INSIDES =
  /\n\s+at |node_modules|\.tsx?:\d+|Prisma|invocation|SELECT [\w"]|INSERT INTO|relation "|syntax error at/;

let backend: Backend;
let inputs = 0;
let accepted = 0;
let endpoints = 0;

async function send(name: string, world: World, request: Partial<HostileRequest>) {
  const { method, url } = await buildRequest(name, world, {
    ...(request.params ? { params: request.params } : {}),
    query: {},
  });
  const search = new URLSearchParams(request.query ?? []).toString();
  const body = method === "GET" ? undefined : request.body;
  const headers = body === undefined ? without(request.headers ?? {}, "content-type") : (request.headers ?? {});
  const response = await world.caller.respond(method, search ? `${url}?${search}` : url, body, headers);
  const { status, headers: answered } = response;
  // A stream of what changes has no end to wait for.
  if (method === "GET" && answered.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
  return { status, text: response.bodyUsed ? "" : await response.text(), headers: answered };
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

function expectCalm(name: string, request: Partial<HostileRequest>, answer: Awaited<ReturnType<typeof send>>): void {
  const seen = () => `${name}: ${answer.status} ${answer.text.slice(0, 600)}\nto ${inspect(request)}`;
  if (answer.status < 300) accepted++;
  // Both are intended: an endpoint that is not set up here, and one that finds no site at the address it is given.
  const isCalm =
    answer.status < 500 ||
    (answer.status === 503 && NOT_SET_UP.has(name)) ||
    (answer.status === 502 && ASKS_A_SITE.has(name));
  if (!isCalm) throw new Error(`5xx at ${seen()}`);
  if (answer.status >= 400) {
    if (INSIDES.test(answer.text)) throw new Error(`insides at ${seen()}`);
    const { error, type, fields, requestId } = JSON.parse(answer.text) as Record<string, unknown>;
    const sentences = [error, ...Object.values(fields ?? {}).flat()].join(" ");
    if (LIBRARY_WORDS.test(sentences)) throw new Error(`the schema library's words at ${seen()}`);
    if (!error || !type || !requestId) throw new Error(`no sentence at ${seen()}`);
  }
}

const NOT_SET_UP = new Set(["POST /api/firebase-auth"]);
export const ASKS_A_SITE = new Set(["POST /api/wordpress/connect", "POST /api/sites"]);

/** Declares the suite: so many inputs at each endpoint, made from the seed. */
export function hostileInputs({ count, seed }: { count: number; seed: number }): void {
  beforeAll(async () => {
    // Rate limits would answer before the schemas.
    process.env.RATE_LIMIT_SCALE = "1000000";
    backend = await startBackend();
  });
  afterAll(async () => {
    await backend.close();
    process.stdout.write(
      `S4, seed ${seed}: ${inputs} inputs at ${endpoints} endpoints, 0 × 5xx, 0 stack traces (${accepted} were good enough to be accepted)\n`,
    );
  });

  it.each(operationNames())(
    "does no harm to %s",
    async (name) => {
      const world = await newWorld();
      const arbitrary = hostileRequests(await specOf(name), paramsOf(name, world));
      const requests = fc.sample(arbitrary, { numRuns: count, seed }).values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const request of requests) {
            inputs++;
            const caller = name === ARCHIVE ? await newUser() : {};
            expectCalm(name, request, await send(name, { ...world, ...caller }, request));
          }
        }),
      );
      endpoints++;
    },
    MOST_MS,
  );

  it("is refused with 413 as a body of 2 MB everywhere except for a piece's text", async () => {
    const world = await newWorld();
    const huge = `{"title":"${"x".repeat(TWO_MEGABYTES)}"}`;
    for (const { name, method, spec } of await listOperations()) {
      if (method === "GET") continue;
      // A separate user, because signing out is among the calls.
      const { caller } = await newUser();
      const request = { body: huge, headers: { "content-type": "application/json" } };
      const answer = await send(name, { ...world, caller }, request);
      expectCalm(name, request, answer);
      if (spec.body) expect([name, answer.status]).toEqual([name, spec.maxBody ? 400 : 413]);
      inputs++;
    }
  });
}
