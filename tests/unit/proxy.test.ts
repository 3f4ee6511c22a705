import { NextRequest } from "next/server";
import { config, proxy } from "@/proxy";

function ask(path: string, { cookie, method = "GET" }: { cookie?: string; method?: string } = {}) {
  return proxy(new NextRequest(`http://localhost:3000${path}`, { method, headers: cookie ? { cookie } : {} }));
}

function wanted(path: string): string | null {
  const location = ask(path).headers.get("location");
  return location && new URL(location).pathname + new URL(location).search;
}

describe("a visitor without a session cookie", () => {
  it.each([
    ["/", "/auth"],
    ["/settings", "/auth?next=%2Fsettings"],
    ["/content/1?tab=seo", "/auth?next=%2Fcontent%2F1%3Ftab%3Dseo"],
    ["/content?_rsc=abc", "/auth?next=%2Fcontent"],
    ["/authors", "/auth?next=%2Fauthors"],
  ])("is sent from %s to %s", (path, where) => {
    expect(ask(path).status).toBe(307);
    expect(wanted(path)).toBe(where);
  });

  it.each(["/auth", "/auth?next=%2Fsettings", "/api/projects"])("is let through to %s", (path) => {
    expect(wanted(path)).toBeNull();
  });

  it("gets an action's own answer rather than a redirect", () => {
    expect(ask("/settings", { method: "POST" }).headers.get("location")).toBeNull();
  });
});

it.each(["session=x", "__Host-session=x"])("lets whoever has %s through: the page itself is the lock", (cookie) => {
  expect(ask("/settings", { cookie }).headers.get("location")).toBeNull();
});

it("refuses a form that Next would not take with a sentence, and leaves the API its own bound", async () => {
  const post = (path: string, bytes: number) =>
    proxy(
      new NextRequest(`http://localhost:3000${path}`, { method: "POST", headers: { "content-length": `${bytes}` } }),
    );
  const large = post("/auth", 1_048_577);
  expect([large.status, await large.text()]).toEqual([413, "This is too large to save. Shorten it, then try again."]);
  expect(large.headers.get("x-content-type-options")).toBe("nosniff");
  for (const [path, bytes] of [
    ["/auth", 1_048_576],
    ["/api/content/1", 4_000_000],
  ] as const) {
    expect([path, post(path, bytes).status]).toEqual([path, 200]);
  }
});

it("hands the page its path, a nonce and the policy that has it, afresh each time", () => {
  const [one, two] = [1, 2].map(() => ask("/content?search=a", { cookie: "session=x" }).headers);
  const nonce = one?.get("x-middleware-request-x-nonce");
  expect(nonce).toMatch(/^[\w+/=]{20,}$/);
  expect(nonce).not.toBe(two?.get("x-middleware-request-x-nonce"));
  expect(one?.get("x-middleware-request-x-path")).toBe("/content?search=a");
  const policy = one?.get("content-security-policy") ?? "";
  expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`);
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(one?.get("x-middleware-request-content-security-policy")).toBe(policy);
});

it.each(["/auth", "/settings", "/api/projects"])("puts the security headers on %s, and HSTS on https only", (path) => {
  const { headers } = ask(path);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.has("strict-transport-security")).toBe(false);
  expect(headers.get("cache-control")).toBe(path.startsWith("/api/") ? "no-store" : null);
});

it("gives every page a request id of its own, whatever a caller sends, and answers it", () => {
  const headers = { cookie: "session=x", "x-request-id": "planted" };
  const answers = [1, 2].map(() => proxy(new NextRequest("http://localhost:3000/", { headers })).headers);
  const ids = answers.map((answer) => answer.get("x-request-id"));
  expect(ids).toEqual(answers.map((answer) => answer.get("x-middleware-request-x-request-id")));
  expect(new Set([...ids, "planted"]).size).toBe(3);
});

it("asks browsers to stay on https where the app is on https", async () => {
  const before = process.env.APP_URL;
  process.env.APP_URL = "https://planner.example.com";
  try {
    await jest.isolateModulesAsync(async () => {
      const { proxy: secure } = await import("@/proxy");
      const { headers } = secure(new NextRequest("https://planner.example.com/settings"));
      expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    });
  } finally {
    process.env.APP_URL = before;
  }
});

it("puts the policy on paths under /api too: one that does not exist is answered with a page", () => {
  const { headers } = ask("/api/nothing");
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
])("lets a client of the API name its request %j, if that is harmless", (given, answered) => {
  const headers = new Headers(given ? { "x-request-id": given } : {});
  const answer = proxy(new NextRequest("http://localhost:3000/api/user", { headers })).headers;
  expect(answer.get("x-request-id")).toMatch(answered);
  expect(answer.get("x-middleware-request-x-request-id")).toBe(answer.get("x-request-id"));
});

describe("a path that is no text", () => {
  it.each([
    ["/content/%ff", "/content/%25ff"],
    ["/%E0%A4%A", "/%25E0%25A4%25A"],
  ])("is looked for as it is written: %s", (path, where) => {
    const { status, headers } = ask(`${path}?a=1`, { cookie: "session=x" });
    expect([status, headers.get("location")]).toEqual([307, `http://localhost:3000${where}?a=1`]);
    expect(headers.get("x-frame-options")).toBe("DENY");
    // No turning in circles.
    expect(ask(where, { cookie: "session=x" }).headers.get("location")).toBeNull();
  });

  it("is nothing under /api, in the words of any other failure", async () => {
    const answer = ask("/api/content/%");
    const requestId = answer.headers.get("x-request-id");
    const error = "This was not found. It may have been deleted.";
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error, type: "NOT_FOUND", requestId });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("is not one with other letters in it", () => {
    expect(ask("/content/%C3%A4", { cookie: "session=x" }).headers.get("location")).toBeNull();
  });
});

it("leaves files alone, and nothing that only begins like one", () => {
  const pattern = new RegExp(`^${config.matcher[0]}$`);
  for (const path of ["/_next/static/a.js", "/_next/image", "/icon.svg", "/favicon.ico", "/robots.txt"])
    expect(path).not.toMatch(pattern);
  for (const path of ["/", "/settings", "/api/user", "/content/1"]) expect(path).toMatch(pattern);
  for (const path of ["/robots.txt-and-more", "/icon.svg/x", "/_next/staticx", "/favicon.icon"])
    expect(path).toMatch(pattern);
});
