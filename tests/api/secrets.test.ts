import { noFaults } from "@/scripts/samples/wordpress/faults";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { deleteEverything, query } from "@/tests/support/db";
import { newPiece, PASSWORD } from "@/tests/support/factories";
import { callOperation, operationNames, prepare } from "@/tests/support/operations";
import { newWorld, type World } from "@/tests/support/world";

const mockLines: string[] = [];

// Collects the lines of the product's logger after redaction.
jest.mock("@/lib/log", () => {
  const { createLog } = jest.requireActual("@/lib/log");
  return { log: createLog({ write: (line: string) => mockLines.push(line) }) };
});

let backend: Backend;
let site: SampleWordPress;

/** Every text that leaves the product: responses, log lines, events, calls to the engine. */
const places: { where: string; text: string }[] = [];
const keep = (where: string, text: string) => places.push({ where, text });

beforeAll(async () => {
  process.env.LOG_LEVEL = "debug";
  process.env.RATE_LIMIT_SCALE = "1000000";
  // Every row of every table is read.
  await deleteEverything();
  site = await startBlog();
  backend = await startBackend((text) => keep("an answer to the engine", text));
}, 60_000);
afterAll(async () => {
  await backend.close();
  await site.close();
});

function catchEvents() {
  const real = globalThis.fetch;
  jest.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.startsWith(backend.engine.url)) keep("an event", `${url} ${String(init?.body ?? "")}`);
    return real(input, init);
  });
}

beforeEach(catchEvents);

/** The user's secrets in every encoding they could have. */
function markersOf({ username, password }: { username: string; password: string }): [string, string][] {
  const plain = password.replaceAll(" ", "");
  const login = Buffer.from(`${username}:${password}`).toString("base64");
  return [
    ["the API key", backend.ai.apiKey],
    ["the API key in base64", Buffer.from(backend.ai.apiKey).toString("base64").replace(/=+$/, "")],
    ["the site's password", password],
    ["the site's password without spaces", plain],
    ["the site's password in an address", encodeURIComponent(password)],
    ["the site's login", login.replace(/=+$/, "")],
    ["the account's password", PASSWORD],
    ["the account's password in an address", encodeURIComponent(PASSWORD)],
    ["a password hash", "$argon2"],
    ["a sealed secret", "v1.k1."],
  ];
}

function hitsIn(found: { where: string; text: string }[], markers: [string, string][]): string[] {
  return found.flatMap(({ where, text }) =>
    markers
      .filter(([, marker]) => text.includes(marker))
      .map(
        ([what, marker]) =>
          `${what} in ${where}: ${text.slice(Math.max(0, text.indexOf(marker) - 150), text.indexOf(marker) + 60)}`,
      ),
  );
}

/** Every row of every table as text, without the columns of sealed or hashed secrets. */
async function rowsOfAllTables() {
  const tables = await query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const found: { where: string; text: string }[] = [];
  for (const { name } of tables) {
    const rows = await query<{ text: string }>(
      `SELECT ((to_jsonb(t) - 'openai_api_key') - 'wordpress_password' - 'password')::text AS text FROM "${name}" t`,
    );
    found.push(...rows.map(({ text }) => ({ where: `table ${name}`, text })));
  }
  return found;
}

/** The world with its caller's responses recorded. */
function watched(world: World): World {
  const call: World["caller"]["call"] = async (method, url, body, headers) => {
    const answer = await world.caller.call(method, url, body, headers);
    keep(`the answer to ${method} ${url}`, `${JSON.stringify([...answer.headers])} ${answer.text}`);
    return answer as never;
  };
  return {
    ...world,
    caller: { ...world.caller, call, post: (url, body, headers) => call("POST", url, body, headers) },
  };
}

const AI_CALLS = [
  "POST /api/topics/[id]/suggest-keywords",
  "POST /api/projects/[id]/generate-content-ideas",
  "POST /api/content/[id]/generate-outline",
  "POST /api/content/[id]/generate-from-outline",
  "POST /api/content/[id]/rewrite",
  "POST /api/content/[id]/propose-fields",
  "POST /api/chat/message",
];
const SITE_CALLS = [
  "POST /api/content/[id]/publish",
  "POST /api/content/[id]/unpublish",
  "POST /api/content/[id]/sync",
  "POST /api/projects/[id]/publish-all-to-wordpress",
  "GET /api/wordpress/categories",
  "POST /api/wordpress/connect",
  "POST /api/wordpress/test",
];

describe("planted secrets (S6)", () => {
  it("appear in no response, log line, event or row, whatever goes wrong", async () => {
    const outside = { ai: backend.ai, site };
    await atEveryEndpoint(outside);
    await whileTheProviderFails(outside);
    await whileTheSiteFails(outside);
    await inTheQueues(outside);
    await inWrongFields(outside);

    const markers = markersOf({ username: site.username, password: site.applicationPassword });
    const rows = await rowsOfAllTables();
    const lines = mockLines.map((text) => ({ where: "a log line", text }));
    const all = [...places, ...lines, ...rows];
    expect(hitsIn(all, markers)).toEqual([]);
    expect(lines.length).toBeGreaterThan(50);
    const kinds = new Set(places.map(({ where }) => where.split(" ").slice(0, 3).join(" ")));
    expect([...kinds]).toEqual(expect.arrayContaining(["an event", "an answer to", "the answer to"]));
    process.stdout.write(
      `S6: ${all.length} places looked at (${places.length} answers and events, ${lines.length} log lines, ${rows.length} rows), 0 hits\n`,
    );
  }, 240_000);

  it("would be found, as one in a row is", async () => {
    await query("INSERT INTO audit_events (action, detail) VALUES ('test', jsonb_build_object('key', $1::text))", [
      backend.ai.apiKey,
    ]);
    const hits = hitsIn(
      await rowsOfAllTables(),
      markersOf({ username: site.username, password: site.applicationPassword }),
    );
    await query("DELETE FROM audit_events WHERE action = 'test'");
    expect(hits).toEqual([expect.stringContaining("the API key in table audit_events")]);
  });
});

type Outside = { ai: Backend["ai"]; site: SampleWordPress };

async function atEveryEndpoint(outside: Outside) {
  for (const name of operationNames()) {
    const world = await newWorld(outside);
    await prepare(name, world);
    await callOperation(name, watched(world).caller, world);
  }
}

async function whileTheProviderFails(outside: Outside) {
  const kinds = ["telltale", "unauthorized", "server-error", "garbage", "html", "error-inside", "truncated"] as const;
  for (const kind of kinds) {
    const world = watched(await newWorld(outside));
    await world.caller.post("/api/chat/start", {});
    backend.ai.faults.mode = kind;
    for (const name of AI_CALLS) await callOperation(name, world.caller, world);
    backend.ai.faults.clear();
  }
}

async function whileTheSiteFails(outside: Outside) {
  const faults = [
    { telltale: "json" },
    { telltale: "html" },
    { firewall: true },
    { html200: true },
    { down: true },
    { stripAuthorization: true },
  ] as const;
  for (const fault of faults) {
    const world = watched(await newWorld(outside));
    await callOperation("POST /api/content/[id]/publish", world.caller, world);
    Object.assign(site.faults, fault);
    for (const name of SITE_CALLS) await callOperation(name, world.caller, world);
    const fresh = await newPiece(world, world, { title: "Never published", body: "Text." });
    await world.caller.call("POST", `/api/content/${fresh}/publish`, {});
    Object.assign(site.faults, noFaults());
  }
}

async function inTheQueues(outside: Outside) {
  for (const kind of ["unauthorized", "telltale"] as const) {
    const world = watched(await newWorld(outside));
    backend.ai.faults.mode = kind;
    await callOperation("POST /api/topics/[id]/generate-outline-queue", world.caller, world);
    // No retries, so that the first error is stored.
    await query("UPDATE processing_queue SET max_retries = retry_count WHERE user_id = $1 AND completed_at IS NULL", [
      world.id,
    ]);
    await eventually(
      () =>
        query("SELECT 1 FROM processing_queue WHERE topic_id = $1 AND completed_at IS NULL AND sent_at IS NOT NULL", [
          world.topicId,
        ]),
      (live) => live.length === 0,
      60_000,
    );
    backend.ai.faults.clear();
    await callOperation("GET /api/queue/status", world.caller, world);
  }
}

/** Secrets in the wrong fields must not be quoted in errors or the log. */
async function inWrongFields(outside: Outside) {
  const world = watched(await newWorld(outside));
  const { call } = world.caller;
  await call("POST", "/api/login", { username: world.username, password: `${PASSWORD}!` });
  await call("PATCH", "/api/user", { username: "a b", password: PASSWORD.slice(0, 3), currentPassword: PASSWORD });
  await call("PATCH", "/api/user/settings", { openaiApiKey: [backend.ai.apiKey], wordpressPassword: 7 });
  await call("PATCH", "/api/user/settings", { wordpressUrl: "https://other.example", wordpressPassword: "" });
  await call("POST", "/api/login", `{"username":"${world.username}","password":"${PASSWORD}"`, {
    "content-type": "application/json",
  });
  await call("DELETE", "/api/user", { confirm: "no", password: PASSWORD });
}
