import { NextRequest } from "next/server";
import { config, proxy } from "@/proxy";

function request(path: string, { cookie, method = "GET" }: { cookie?: string; method?: string } = {}) {
  return proxy(new NextRequest(`http://localhost:3000${path}`, { method, headers: cookie ? { cookie } : {} }));
}

async function redirectOf(path: string): Promise<string | null> {
  const location = (await request(path)).headers.get("location");
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
    expect((await request(path)).status).toBe(307);
    expect(await redirectOf(path)).toBe(where);
  });

  it.each(["/auth", "/auth?next=%2Fsettings", "/api/projects"])("can open %s", async (path) => {
    expect(await redirectOf(path)).toBeNull();
  });

  it("gets an action's own answer rather than a redirect", async () => {
    expect((await request("/settings", { method: "POST" })).headers.get("location")).toBeNull();
  });
});

it.each(["session=x", "__Host-session=x"])(
  "lets a request with %s through, because the page itself checks the session",
  async (cookie) => {
    expect((await request("/settings", { cookie })).headers.get("location")).toBeNull();
  },
);

it("refuses a form larger than Next accepts with a readable message, and leaves the API its own limit", async () => {
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

it("lets no page learn the address with a password that WordPress sends the browser back to", async () => {
  const { headers } = await request("/api/wordpress/connected/state?password=x");
  expect([headers.get("referrer-policy"), headers.get("cache-control")]).toEqual(["no-referrer", "no-store"]);
});

it("gives the page its path and a fresh nonce, with the policy that contains it", async () => {
  const answers = await Promise.all([1, 2].map(() => request("/content?search=a", { cookie: "session=x" })));
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
    const { headers } = await request(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.has("strict-transport-security")).toBe(false);
    expect(headers.get("cache-control")).toBe(path.startsWith("/api/") ? "no-store" : null);
  },
);

it("gives every page request a new id, whatever the client sends, and returns it", async () => {
  const headers = { cookie: "session=x", "x-request-id": "planted" };
  const answers = await Promise.all([1, 2].map(() => proxy(new NextRequest("http://localhost:3000/", { headers }))));
  const ids = answers.map((answer) => answer.headers.get("x-request-id"));
  expect(ids).toEqual(answers.map((answer) => answer.headers.get("x-middleware-request-x-request-id")));
  expect(new Set([...ids, "planted"]).size).toBe(3);
});

it("sends HSTS when the app is on https", async () => {
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

it("puts the policy on paths under /api too, because an unknown one is answered with a page", async () => {
  const { headers } = await request("/api/nothing");
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
])("keeps an API client's own request id %j only if it is harmless", async (given, answered) => {
  const headers = new Headers(given ? { "x-request-id": given } : {});
  const answer = (await proxy(new NextRequest("http://localhost:3000/api/user", { headers }))).headers;
  expect(answer.get("x-request-id")).toMatch(answered);
  expect(answer.get("x-middleware-request-x-request-id")).toBe(answer.get("x-request-id"));
});

describe("percent-encoding in a path", () => {
  it.each([
    ["/content/%ff", "/content/%25ff"],
    ["/%E0%A4%A", "/%25E0%25A4%25A"],
  ])("is redirected to its literal spelling if it is invalid: %s", async (path, where) => {
    const { status, headers } = await request(`${path}?a=1`, { cookie: "session=x" });
    expect([status, headers.get("location")]).toEqual([307, `http://localhost:3000${where}?a=1`]);
    expect(headers.get("x-frame-options")).toBe("DENY");
    // The target is not redirected again.
    expect((await request(where, { cookie: "session=x" })).headers.get("location")).toBeNull();
  });

  it("is answered 404 with the usual error body if it is invalid under /api", async () => {
    const answer = await request("/api/content/%");
    const requestId = answer.headers.get("x-request-id");
    const error = "This was not found. It may have been deleted.";
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error, type: "NOT_FOUND", requestId });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("is left alone if it is valid", async () => {
    expect((await request("/content/%C3%A4", { cookie: "session=x" })).headers.get("location")).toBeNull();
  });
});

const PLUGIN = "/wordpress/content-planner-fields.php";

it("leaves static files alone, but not paths that only begin like one", async () => {
  const pattern = new RegExp(`^${config.matcher[0]}$`);
  for (const path of ["/_next/static/a.js", "/_next/image", "/api/inngest"]) expect(path).not.toMatch(pattern);
  for (const path of ["/", "/settings", "/api/user", "/content/1", "/_next/staticx", "/api/inngestx"])
    expect(path).toMatch(pattern);
  for (const path of ["/icon.svg", "/favicon.ico", "/manifest.webmanifest", "/robots.txt", PLUGIN]) {
    const { status, headers } = await request(path);
    expect([path, status, headers.get("location"), headers.get("content-security-policy")]).toEqual([
      path,
      200,
      null,
      null,
    ]);
  }
  for (const path of ["/robots.txt-and-more", "/icon.svg/x", "/favicon.icon"])
    expect(await redirectOf(path)).toBe(`/auth?next=${encodeURIComponent(path)}`);
});

describe("a method that a path does not support", () => {
  it.each([
    ["PUT", "/api/health", "GET, HEAD, OPTIONS"],
    ["GET", "/api/login", "POST, OPTIONS"],
    ["POST", "/api/content/groups", "GET, HEAD, OPTIONS"],
    ["PUT", "/api/content/0f6f0a4e-9d0b-4c58-8b8e-3d7f0d3a1c11", "GET, PATCH, DELETE, HEAD, OPTIONS"],
    ["DELETE", "/api/auth/callback/google", "GET, POST, HEAD, OPTIONS"],
  ])("is answered 405 with the supported ones: %s %s", async (method, path, allow) => {
    const answer = await request(path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    expect(await answer.json()).toEqual({
      type: "METHOD_NOT_ALLOWED",
      error: "This path does not support this method. The Allow header lists those it does.",
      requestId: answer.headers.get("x-request-id"),
    });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["GET", "HEAD", "OPTIONS"])("does not include %s where GET is supported", async (method) => {
    expect((await request("/api/health", { method })).status).toBe(200);
  });

  it("is answered 405 on a static file", async () => {
    const { status, headers } = await request("/icon.svg", { method: "POST" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is left to the not-found page on an unknown path", async () => {
    expect((await request("/api/nothing", { method: "PUT" })).status).toBe(200);
  });
});

describe("a form posted to a page", () => {
  const LIMIT = 1_048_576;
  const form = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`;
  /** A body sent in chunks, without its length. */
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

  it("is accepted up to the limit and refused above it when it is chunked", async () => {
    expect(await post(chunked("a".repeat(LIMIT + 1)))).toEqual(TOO_LARGE);
    expect(await post(chunked("a".repeat(LIMIT)))).toEqual([200, ""]);
    const rest = form("a", "").length;
    expect(await post(chunked(form("a", "a".repeat(LIMIT + 1 - rest))), multipart)).toEqual(TOO_LARGE);
    expect(await post(chunked(form("a", "a".repeat(LIMIT - rest))), multipart)).toEqual([200, ""]);
  });

  it.each([
    ["without a boundary", "abc", { "content-type": "multipart/form-data" }],
    ["cut short", form("a", "b").slice(0, -10), multipart],
    ["that is not multipart", "abc", multipart],
  ])("%s is refused with a readable message", async (_what, body, headers) => {
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
