import { NextRequest } from "next/server";
import { config, proxy } from "@/proxy";

function ask(path: string, { cookie, method = "GET" }: { cookie?: string; method?: string } = {}) {
  return proxy(new NextRequest(`http://localhost:3000${path}`, { method, headers: cookie ? { cookie } : {} }));
}

async function wanted(path: string): Promise<string | null> {
  const location = (await ask(path)).headers.get("location");
  return location && new URL(location).pathname + new URL(location).search;
}

describe("a visitor without a session cookie", () => {
  it.each([
    ["/", "/auth"],
    ["/settings", "/auth?next=%2Fsettings"],
    ["/content/1?tab=seo", "/auth?next=%2Fcontent%2F1%3Ftab%3Dseo"],
    ["/content?_rsc=abc", "/auth?next=%2Fcontent"],
    ["/authors", "/auth?next=%2Fauthors"],
  ])("is sent from %s to %s", async (path, where) => {
    expect((await ask(path)).status).toBe(307);
    expect(await wanted(path)).toBe(where);
  });

  it.each(["/auth", "/auth?next=%2Fsettings", "/api/projects"])("is let through to %s", async (path) => {
    expect(await wanted(path)).toBeNull();
  });

  it("gets an action's own answer rather than a redirect", async () => {
    expect((await ask("/settings", { method: "POST" })).headers.get("location")).toBeNull();
  });
});

it.each(["session=x", "__Host-session=x"])(
  "lets whoever has %s through: the page itself is the lock",
  async (cookie) => {
    expect((await ask("/settings", { cookie })).headers.get("location")).toBeNull();
  },
);

it("refuses a form that Next would not take with a sentence, and leaves the API its own bound", async () => {
  const post = (path: string, bytes: number) =>
    proxy(
      new NextRequest(`http://localhost:3000${path}`, { method: "POST", headers: { "content-length": `${bytes}` } }),
    );
  const large = await post("/auth", 1_048_577);
  expect([large.status, await large.text()]).toEqual([413, "This is too large to save. Shorten it, then try again."]);
  expect(large.headers.get("x-content-type-options")).toBe("nosniff");
  for (const [path, bytes] of [
    ["/auth", 1_048_576],
    ["/api/login", 4_000_000],
  ] as const) {
    expect([path, (await post(path, bytes)).status]).toEqual([path, 200]);
  }
});

it("hands the page its path, a nonce and the policy that has it, afresh each time", async () => {
  const answers = await Promise.all([1, 2].map(() => ask("/content?search=a", { cookie: "session=x" })));
  const [one, two] = answers.map(({ headers }) => headers);
  const nonce = one?.get("x-middleware-request-x-nonce");
  expect(nonce).toMatch(/^[\w+/=]{20,}$/);
  expect(nonce).not.toBe(two?.get("x-middleware-request-x-nonce"));
  expect(one?.get("x-middleware-request-x-path")).toBe("/content?search=a");
  const policy = one?.get("content-security-policy") ?? "";
  expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`);
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("worker-src 'self'");
  expect(one?.get("x-middleware-request-content-security-policy")).toBe(policy);
});

it.each(["/auth", "/settings", "/api/projects"])(
  "puts the security headers on %s, and HSTS on https only",
  async (path) => {
    const { headers } = await ask(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.has("strict-transport-security")).toBe(false);
    expect(headers.get("cache-control")).toBe(path.startsWith("/api/") ? "no-store" : null);
  },
);

it("gives every page a request id of its own, whatever a caller sends, and answers it", async () => {
  const headers = { cookie: "session=x", "x-request-id": "planted" };
  const answers = await Promise.all([1, 2].map(() => proxy(new NextRequest("http://localhost:3000/", { headers }))));
  const ids = answers.map((answer) => answer.headers.get("x-request-id"));
  expect(ids).toEqual(answers.map((answer) => answer.headers.get("x-middleware-request-x-request-id")));
  expect(new Set([...ids, "planted"]).size).toBe(3);
});

it("asks browsers to stay on https where the app is on https", async () => {
  const before = process.env.APP_URL;
  process.env.APP_URL = "https://planner.example.com";
  try {
    await jest.isolateModulesAsync(async () => {
      const { proxy: secure } = await import("@/proxy");
      const { headers } = await secure(new NextRequest("https://planner.example.com/settings"));
      expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    });
  } finally {
    process.env.APP_URL = before;
  }
});

it("puts the policy on paths under /api too: one that does not exist is answered with a page", async () => {
  const { headers } = await ask("/api/nothing");
  const nonce = headers.get("x-middleware-request-x-nonce");
  expect(headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
  expect(headers.get("x-middleware-request-content-security-policy")).toBe(headers.get("content-security-policy"));
});

it.each([
  ["client-7_a", "client-7_a"],
  ["two words", /^[0-9a-f-]{36}$/],
  ["<script>", /^[0-9a-f-]{36}$/],
  ["x".repeat(65), /^[0-9a-f-]{36}$/],
  [undefined, /^[0-9a-f-]{36}$/],
])("lets a client of the API name its request %j, if that is harmless", async (given, answered) => {
  const headers = new Headers(given ? { "x-request-id": given } : {});
  const answer = (await proxy(new NextRequest("http://localhost:3000/api/user", { headers }))).headers;
  expect(answer.get("x-request-id")).toMatch(answered);
  expect(answer.get("x-middleware-request-x-request-id")).toBe(answer.get("x-request-id"));
});

describe("a path that is no text", () => {
  it.each([
    ["/content/%ff", "/content/%25ff"],
    ["/%E0%A4%A", "/%25E0%25A4%25A"],
  ])("is looked for as it is written: %s", async (path, where) => {
    const { status, headers } = await ask(`${path}?a=1`, { cookie: "session=x" });
    expect([status, headers.get("location")]).toEqual([307, `http://localhost:3000${where}?a=1`]);
    expect(headers.get("x-frame-options")).toBe("DENY");
    // No turning in circles.
    expect((await ask(where, { cookie: "session=x" })).headers.get("location")).toBeNull();
  });

  it("is nothing under /api, in the words of any other failure", async () => {
    const answer = await ask("/api/content/%");
    const requestId = answer.headers.get("x-request-id");
    const error = "This was not found. It may have been deleted.";
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error, type: "NOT_FOUND", requestId });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("is not one with other letters in it", async () => {
    expect((await ask("/content/%C3%A4", { cookie: "session=x" })).headers.get("location")).toBeNull();
  });
});

it("leaves files alone, and nothing that only begins like one", async () => {
  const pattern = new RegExp(`^${config.matcher[0]}$`);
  for (const path of ["/_next/static/a.js", "/_next/image"]) expect(path).not.toMatch(pattern);
  for (const path of ["/", "/settings", "/api/user", "/content/1", "/_next/staticx"]) expect(path).toMatch(pattern);
  for (const path of ["/icon.svg", "/favicon.ico", "/manifest.webmanifest", "/robots.txt"]) {
    const { status, headers } = await ask(path);
    expect([path, status, headers.get("location"), headers.get("content-security-policy")]).toEqual([
      path,
      200,
      null,
      null,
    ]);
  }
  for (const path of ["/robots.txt-and-more", "/icon.svg/x", "/favicon.icon"])
    expect(await wanted(path)).toBe(`/auth?next=${encodeURIComponent(path)}`);
});

describe("a method that a path does not take", () => {
  it.each([
    ["PUT", "/api/health", "GET, HEAD, OPTIONS"],
    ["GET", "/api/login", "POST, OPTIONS"],
    ["POST", "/api/content/groups", "GET, HEAD, OPTIONS"],
    ["PUT", "/api/content/0f6f0a4e-9d0b-4c58-8b8e-3d7f0d3a1c11", "GET, PATCH, DELETE, HEAD, OPTIONS"],
    ["DELETE", "/api/auth/callback/google", "GET, POST, HEAD, OPTIONS"],
  ])("%s %s is answered 405 with those it does", async (method, path, allow) => {
    const answer = await ask(path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    expect(await answer.json()).toEqual({
      type: "METHOD_NOT_ALLOWED",
      error: "This path does not take this method. The Allow header names those it takes.",
      requestId: answer.headers.get("x-request-id"),
    });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["GET", "HEAD", "OPTIONS"])("%s goes on to where GET is", async (method) => {
    expect((await ask("/api/health", { method })).status).toBe(200);
  });

  it("on a file is no failure of ours", async () => {
    const { status, headers } = await ask("/icon.svg", { method: "POST" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("on a path that does not exist is left to the page that says so", async () => {
    expect((await ask("/api/nothing", { method: "PUT" })).status).toBe(200);
  });
});

describe("a form posted to a page", () => {
  const BOUND = 1_048_576;
  const form = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`;
  /** As it comes in pieces, its length unsaid. */
  const chunked = (text: string) => new Blob([text]).stream();

  async function post(body: BodyInit | null, headers: Record<string, string> = {}) {
    const init = { method: "POST", headers, body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) };
    const answer = await proxy(
      new NextRequest("http://localhost:3000/auth", init as ConstructorParameters<typeof NextRequest>[1]),
    );
    return [answer.status, answer.headers.get("content-type")?.startsWith("text/plain") ? await answer.text() : ""];
  }

  const TOO_LARGE = [413, "This is too large to save. Shorten it, then try again."];
  const UNREADABLE = [400, "This form could not be read. Load the page again and retry."];
  const multipart = { "content-type": "multipart/form-data; boundary=x" };

  it("in pieces is refused above the bound, and goes on at it", async () => {
    expect(await post(chunked("a".repeat(BOUND + 1)))).toEqual(TOO_LARGE);
    expect(await post(chunked("a".repeat(BOUND)))).toEqual([200, ""]);
    const rest = form("a", "").length;
    expect(await post(chunked(form("a", "a".repeat(BOUND + 1 - rest))), multipart)).toEqual(TOO_LARGE);
    expect(await post(chunked(form("a", "a".repeat(BOUND - rest))), multipart)).toEqual([200, ""]);
  });

  it.each([
    ["without a boundary", "abc", { "content-type": "multipart/form-data" }],
    ["cut short", form("a", "b").slice(0, -10), multipart],
    ["that is none", "abc", multipart],
  ])("%s is refused with a sentence", async (_what, body, headers) => {
    expect(await post(body, headers)).toEqual(UNREADABLE);
  });

  it("from another site is refused", async () => {
    const sentence = "This request came from another site and was refused.";
    const foreign = [
      ["origin", "https://evil.example"],
      ["origin", "null"],
      ["sec-fetch-site", "cross-site"],
    ] as const;
    for (const [name, value] of foreign) expect(await post("a=b", { [name]: value })).toEqual([403, sentence]);
    expect(await post("a=b", { origin: "http://localhost:3000" })).toEqual([200, ""]);
  });
});
