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

it("leaves files alone", () => {
  const pattern = new RegExp(`^${config.matcher[0]}$`);
  for (const path of ["/_next/static/a.js", "/icon.svg", "/favicon.ico", "/robots.txt"])
    expect(path).not.toMatch(pattern);
  for (const path of ["/", "/settings", "/api/user", "/content/1"]) expect(path).toMatch(pattern);
});
