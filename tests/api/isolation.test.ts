import { canonicalJson, signBody } from "@/inngest/local-server/signature";
import { needsSession } from "@/lib/transport/access";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Answer, type Caller, createCaller } from "@/tests/support/app";
import { type Backend, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newUser, type User } from "@/tests/support/factories";
import { PROJECT, startTokenIssuer, type TokenIssuer } from "@/tests/support/id-tokens";
import {
  buildRequest,
  callOperation,
  externalNames,
  foreignRequests,
  listOperations,
  paramsOf,
  prepare,
} from "@/tests/support/operations";
import { newWorld, snapshot, type World } from "@/tests/support/world";

let backend: Backend;
let site: SampleWordPress;
let tokens: TokenIssuer;
/** The owner of the data that nobody else may see or change. */
let theirs: World;
/** Another user, with a key, a site and data of their own. */
let mine: World;

beforeAll(async () => {
  site = await startBlog();
  tokens = await startTokenIssuer();
  Object.assign(process.env, { FIREBASE_PROJECT_ID: PROJECT, FIREBASE_JWKS_URL: tokens.url });
  backend = await startBackend();
  theirs = await newWorld({ ai: backend.ai, site, tokens });
  mine = await newWorld({ ai: backend.ai, site, tokens });
}, 60_000);
afterAll(async () => {
  await backend.close();
  await site.close();
  await tokens.close();
});

/** A cookie that was valid until `end` ended its session or account. */
async function spentCookie(end: (user: User) => Promise<unknown>): Promise<string> {
  const user = await newUser();
  const cookie = user.caller.cookie() ?? "";
  await end(user);
  return cookie;
}

/** Callers who must see nothing, each named after their cookie. */
async function strangers(): Promise<[string, Caller][]> {
  const cookies: [string, string | undefined][] = [
    ["nobody", undefined],
    ["signed out", await spentCookie(({ caller }) => caller.post("/api/logout"))],
    [
      "session run out",
      await spentCookie(({ id }) => query("UPDATE sessions SET expires = now() WHERE user_id = $1", [id])),
    ],
    [
      "account disabled",
      await spentCookie(({ id }) => query("UPDATE users SET disabled_at = now() WHERE id = $1", [id])),
    ],
    ["account deleted", await spentCookie(({ id }) => query("DELETE FROM users WHERE id = $1", [id]))],
    ...forgedCookies(theirs).map((cookie): [string, string] => ["forged cookie", cookie]),
  ];
  return cookies.map(([who, cookie]) => [who, createCaller(cookie)]);
}

/** A well-formed cookie without a session, and a valid one with its last character changed. */
function forgedCookies(world: World): string[] {
  const real = world.caller.cookie() ?? "";
  const changed = `${real.slice(0, -1)}${real.endsWith("A") ? "B" : "A"}`;
  return [`session=${"x".repeat(43)}`, changed, "session=", `__Host-${real}`];
}

/** Every text and id of the user that could appear in a response. */
function tracesOf(world: World): string[] {
  const { mark, pieceId, titleId, outlinedId, revisionId, liveJobId, failedJobId, chatId, id } = world;
  return [mark, pieceId, titleId, outlinedId, revisionId, liveJobId, failedJobId, chatId, id];
}

function expectNoTrace(name: string, text: string, sent: string): void {
  for (const trace of tracesOf(theirs)) {
    // Error messages may repeat what the caller sent.
    if (!sent.includes(trace) && text.includes(trace)) throw new Error(`${name} shows ${trace}: ${text.slice(0, 400)}`);
  }
}

/** Path parameters, each variant with one of them replaced by the other user's. */
function foreignPaths(name: string): Record<string, string | number>[] {
  const own = paramsOf(name, mine);
  const other = paramsOf(name, theirs);
  return Object.keys(own).map((key) => ({ ...own, [key]: other[key] ?? "" }));
}

describe("the matrix of callers", () => {
  it.each(["without proxy.ts", "behind proxy.ts"])(
    "shows nobody another user's data, %s",
    async (way) => {
      const behindProxy = way === "behind proxy.ts";
      const before = await snapshot(theirs);
      const outsiders = await strangers();
      const outcomes: string[] = [];
      for (const { name, spec } of await listOperations()) {
        if (!needsSession(spec)) continue;
        for (const [who, caller] of outsiders) {
          const sent = await buildRequest(name, theirs);
          const answer = await callOperation(name, passing(caller, behindProxy), theirs);
          expect([name, who, answer.status]).toEqual([name, who, 401]);
          expectNoTrace(name, answer.text, JSON.stringify(sent));
          outcomes.push(`${name} ${who} ${answer.status}`);
        }
        for (const params of foreignPaths(name)) {
          const sent = await buildRequest(name, mine, { params });
          const answer = await callOperation(name, passing(mine.caller, behindProxy), mine, { params });
          expect([name, "another user", answer.status]).toEqual([name, "another user", 404]);
          expectNoTrace(name, answer.text, JSON.stringify(sent));
          outcomes.push(`${name} another user ${answer.status}`);
        }
        for (const given of await foreignRequests(name, theirs, mine)) {
          const answer = await callOperation(name, passing(mine.caller, behindProxy), mine, given);
          expect([name, answer.status < 500]).toEqual([name, true]);
          expectNoTrace(name, answer.text, JSON.stringify(given));
          outcomes.push(`${name} foreign id ${answer.status}`);
        }
        if (foreignPaths(name).length === 0) {
          const world = name.startsWith("GET") ? mine : await newWorld({ ai: backend.ai, site, tokens });
          await prepare(name, world);
          const answer = await callOperation(name, passing(world.caller, behindProxy), world);
          expectNoTrace(name, answer.text, JSON.stringify(await buildRequest(name, world)));
          outcomes.push(`${name} own ${answer.status}`);
        }
      }
      expect(await snapshot(theirs)).toEqual(before);
      seen.set(way, outcomes);
      process.stdout.write(`S2: ${(await listOperations()).length} operations are in the matrix\n`);
      process.stdout.write(`S1 ${way}: ${outcomes.length} cases, 0 leaks\n`);
    },
    240_000,
  );

  it("gets the same responses with and without proxy.ts", () => {
    expect(seen.get("behind proxy.ts")).toEqual(seen.get("without proxy.ts"));
    process.stdout.write("S3: 0 differences without proxy.ts\n");
  });

  it("gets identical responses for missing things and another user's", async () => {
    let cases = 0;
    for (const { name } of await listOperations()) {
      for (const params of foreignPaths(name)) {
        const missing = Object.fromEntries(
          Object.entries(params).map(([key, value]) => {
            const isForeign = String(paramsOf(name, mine)[key]) !== String(value);
            const nothing = typeof value === "number" ? 2_147_483_000 : "3f2f4e0c-5a0e-4c39-9d3c-0a4a3b9d7aff";
            return [key, isForeign ? nothing : value];
          }),
        );
        const foreign = await callOperation(name, mine.caller, mine, { params });
        const absent = await callOperation(name, mine.caller, mine, { params: missing });
        const strip = ({ status, headers, body }: Answer) => {
          const { requestId: _, ...shown } = (body ?? {}) as Record<string, unknown>;
          return [status, headers.get("location"), shown];
        };
        expect([name, ...strip(foreign)]).toEqual([name, ...strip(absent)]);
        cases++;
      }
    }
    expect(cases).toBeGreaterThan(30);
  }, 60_000);
});

const seen = new Map<string, string[]>();

/** The same caller, with every request passing through proxy.ts first, as in Next. */
function passing(caller: Caller, behindProxy: boolean): Caller {
  if (!behindProxy) return caller;
  const call: Caller["call"] = async (method, url, body, headers = {}) => {
    const { NextRequest } = await import("next/server");
    const { proxy } = await import("@/proxy");
    const cookie = caller.cookie();
    const request = new NextRequest(new URL(url, "http://localhost:3000"), {
      method,
      headers: { ...headers, ...(cookie ? { cookie } : {}) },
    });
    expect((await proxy(request)).headers.get("x-middleware-next")).toBe("1");
    return caller.call(method, url, body, headers);
  };
  return { ...caller, call };
}

describe("fields that are not a caller's to set", () => {
  it("keep owner, id, post id and dates, whatever a body says (S5)", async () => {
    const before = await snapshot(theirs);
    let writes = 0;
    for (const { name, spec } of await listOperations()) {
      if (!spec.body || name === "DELETE /api/user") continue;
      const world = await newWorld({ ai: backend.ai, site, tokens });
      await prepare(name, world);
      const extra = {
        userId: theirs.id,
        id: name.includes("content") ? theirs.pieceId : theirs.projectId,
        projectId: theirs.projectId,
        wpPostId: "987654321",
        createdAt: "2001-02-03T04:05:06.000Z",
      };
      const { body } = await buildRequest(name, world);
      const answer = await callOperation(name, world.caller, world, { body: { ...extra, ...(body as object) } });
      expect([name, answer.status < 500]).toEqual([name, true]);
      writes++;
    }
    expect(await snapshot(theirs)).toEqual(before);
    const planted = await query(`
      SELECT id::text FROM content_pieces WHERE extract(year FROM created_at) = 2001
      UNION ALL SELECT content_piece_id::text FROM piece_posts WHERE post_id = '987654321'
      UNION ALL SELECT id::text FROM projects WHERE extract(year FROM created_at) = 2001
      UNION ALL SELECT id::text FROM topics WHERE extract(year FROM created_at) = 2001
      UNION ALL SELECT id::text FROM saved_instructions WHERE extract(year FROM created_at) = 2001
      UNION ALL SELECT id::text FROM keywords WHERE extract(year FROM created_at) = 2001
      UNION ALL SELECT id::text FROM buyer_personas WHERE extract(year FROM created_at) = 2001
      UNION ALL SELECT id::text FROM users WHERE extract(year FROM created_at) = 2001`);
    expect(planted).toEqual([]);
    process.stdout.write(`S5: ${writes} writes with foreign fields, 0 changed\n`);
  }, 120_000);
});

describe("writes from another site (S9)", () => {
  it("are refused with a foreign Origin, null, a foreign Sec-Fetch-Site or text/plain", async () => {
    const before = await snapshot(mine);
    let cases = 0;
    for (const { name, method } of await listOperations()) {
      if (method === "GET") continue;
      const attempts: [Record<string, string>, number][] = [
        [{ origin: "https://evil.example" }, 403],
        [{ origin: "null" }, 403],
        [{ "sec-fetch-site": "cross-site" }, 403],
        [{ "sec-fetch-site": "same-site" }, 403],
        [{ "content-type": "text/plain" }, 415],
        [{ "content-type": "application/x-www-form-urlencoded" }, 415],
        [{ "content-type": "multipart/form-data; boundary=x" }, 415],
      ];
      for (const [headers, status] of attempts) {
        const answer = await callOperation(name, mine.caller, mine, { headers });
        expect([name, headers, answer.status]).toEqual([name, headers, status]);
        cases++;
      }
    }
    expect(await snapshot(mine)).toEqual(before);
    process.stdout.write(`S9: ${cases} cross-site writes, all refused\n`);
  }, 60_000);
});

describe("endpoints with a protocol of their own", () => {
  it("are exactly these", () => {
    expect(externalNames.sort()).toEqual([
      "GET /api/auth/[...nextauth]",
      "GET /api/inngest",
      "POST /api/auth/[...nextauth]",
      "POST /api/inngest",
      "PUT /api/inngest",
    ]);
  });

  it("refuse unsigned, wrongly signed and replayed calls to /api/inngest, and accept a signed one (S18)", async () => {
    const call = { event: { name: "x", data: {} }, events: [{ name: "x", data: {} }], steps: {}, ctx: CONTEXT };
    const body = canonicalJson(call);
    const key = process.env.INNGEST_SIGNING_KEY ?? "";
    const otherKey = `signkey-test-${"cd".repeat(32)}`;
    const signed = (signature?: string) =>
      createCaller().post("/api/inngest?fnId=content-planner-sweep-queues&stepId=step", body, {
        "content-type": "application/json",
        ...(signature ? { "x-inngest-signature": signature } : {}),
      });
    const refused = [
      undefined,
      "nonsense",
      `t=${Math.floor(Date.now() / 1000)}&s=${"0".repeat(64)}`,
      signBody(body, otherKey, Date.now()),
      signBody(`${body} `, key, Date.now()),
      // Intercepted and replayed later.
      signBody(body, key, Date.now() - 60 * 60 * 1000),
    ];
    for (const signature of refused) {
      const answer = await signed(signature);
      expect([signature, answer.status]).toEqual([signature, 401]);
      expectNoTrace("POST /api/inngest", answer.text, "");
    }
    expect((await signed(signBody(body, key, Date.now()))).status).not.toBe(401);
    process.stdout.write(`S18: ${refused.length} unsigned, wrongly signed and replayed calls, all refused\n`);
  });
});

const CONTEXT = {
  run_id: "01HZ0000000000000000000000",
  attempt: 0,
  disable_immediate_execution: false,
  use_api: false,
  stack: { stack: [], current: 0 },
};
