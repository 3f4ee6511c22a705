import dns from "node:dns";
import type { ConnectInput, ConnectOut } from "@/lib/features/sites/connecting/schema";
import type { SiteOut } from "@/lib/features/sites/schema";
import { createCaller } from "@/tests/support/app";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";

// Connecting a site by WordPress' own page. The sample site plays WordPress; the tests play the browser.

// Read once, by the first route.
process.env.LOG_LEVEL = "debug";
const site = suiteBlog();

/** A name of the sample site that is not of this machine. */
const NAME = "blog.example";
beforeAll(() => {
  const { lookup } = dns;
  jest
    .spyOn(dns, "lookup")
    .mockImplementation(((name: string, ...rest: unknown[]) =>
      Reflect.apply(lookup, dns, [name === NAME ? "127.0.0.1" : name, ...rest])) as never);
});
afterAll(() => jest.restoreAllMocks());

const GIVEN = "abcd EFGH ijkl MNOP qrst UVWX";

async function begin({ caller }: Pick<User, "caller">, url = site.url, rest: Partial<ConnectInput> = {}) {
  const { status, body } = await caller.post<ConnectOut>("/api/wordpress/connect", { url, ...rest });
  return { status, ...body };
}

/** Where WordPress sends the browser when the user approves. */
async function returnAddress(user: Pick<User, "caller">, rest: Partial<ConnectInput> = {}): Promise<URL> {
  const { authorizeUrl } = await begin(user, site.url, rest);
  return new URL(new URL(authorizeUrl ?? "").searchParams.get("success_url") ?? "");
}

type Given = { site_url?: string; user_login?: string; password?: string };

/** The browser comes back. Returns where it is led. */
async function comeBack({ caller }: Pick<User, "caller">, to: URL, given: Given = {}) {
  const address = new URL(to);
  const said = { site_url: site.url, user_login: "editor", password: GIVEN, ...given };
  for (const [name, value] of Object.entries(said)) if (value !== undefined) address.searchParams.set(name, value);
  const { status, headers, text } = await caller.get(address.pathname + address.search);
  expect([status, text]).toEqual([303, ""]);
  return headers.get("location")?.replace("/settings?connected=", "");
}

/** The user approves on the site's page. Returns where the browser is led. */
async function approve(user: Pick<User, "caller">, rest: Partial<ConnectInput> = {}) {
  const { authorizeUrl } = await begin(user, site.url, rest);
  const body = new URLSearchParams([...new URL(authorizeUrl ?? "").searchParams, ["approve", "1"]]);
  const approved = await fetch(authorizeUrl ?? "", { method: "POST", body, redirect: "manual" });
  const back = new URL(approved.headers.get("location") ?? "");
  const { headers } = await user.caller.get(back.pathname + back.search);
  return headers.get("location")?.replace("/settings?connected=", "");
}

async function stored(id: string) {
  const [row] = await query<{ url: string | null; username: string | null; password: string | null }>(
    "SELECT wordpress_url AS url, wordpress_username AS username, wordpress_password AS password FROM users WHERE id = $1",
    [id],
  );
  return row;
}

const NOTHING = { url: null, username: null, password: null };

describe("POST /api/wordpress/connect", () => {
  it("leads to the page of the site that its index names, and back here over a state of its own", async () => {
    const user = await newUser();
    const { authorizeUrl, reason, passwordsPage } = await begin(user, ` ${site.url}/wp-admin/ `);
    expect(reason).toBeNull();
    const page = new URL(authorizeUrl ?? "");
    expect(page.origin + page.pathname).toBe(`${site.url}/wp-admin/authorize-application.php`);
    const asked = Object.fromEntries(page.searchParams);
    expect(asked).toEqual({
      app_name: "Content Planner",
      app_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      success_url: expect.stringMatching(/^http:\/\/localhost:3000\/api\/wordpress\/connected\/[\w-]{43}$/),
      reject_url: `${asked.success_url}?success=false`,
    });
    expect(passwordsPage).toBe(`${page.origin}${page.pathname}?app_name=Content+Planner&app_id=${asked.app_id}`);
    const state = asked.success_url?.split("/").pop();
    const [row] = await query<Record<string, unknown>>("SELECT * FROM site_connections WHERE user_id = $1", [user.id]);
    expect(row).toMatchObject({ url: site.url, places: [site.url.replace("http://", "")] });
    expect(JSON.stringify(row)).not.toContain(state);
    expect(new URL((await begin(user)).authorizeUrl ?? "").searchParams.get("success_url")).not.toBe(asked.success_url);
  });

  it.each<[string, object]>([
    ["has application passwords switched off", { passwordsOff: true }],
    [
      "tells visitors nothing",
      { rewrite: () => ({ status: 401, body: { code: "rest_login_required", message: "" } }) },
    ],
    [
      "names a page of another site",
      {
        rewrite: ({ body }: { body: object }) => {
          const endpoints = { authorization: "https://elsewhere.example/wp-admin/authorize-application.php" };
          return { status: 200, body: { ...body, authentication: { "application-passwords": { endpoints } } } };
        },
      },
    ],
    [
      "names a page that is none",
      {
        rewrite: ({ body }: { body: object }) => {
          const endpoints = { authorization: "javascript:alert(1)" };
          return { status: 200, body: { ...body, authentication: { "application-passwords": { endpoints } } } };
        },
      },
    ],
  ])("says that there is no such page on a site that %s", async (_what, faults) => {
    Object.assign(site.faults, faults);
    const user = await newUser();
    expect(await begin(user)).toEqual({
      status: 200,
      authorizeUrl: null,
      reason: "no-endpoint",
      passwordsPage: `${site.url}/wp-admin/profile.php#application-passwords-section`,
    });
    expect(await query("SELECT 1 FROM site_connections WHERE user_id = $1", [user.id])).toEqual([]);
  });

  it("says that WordPress sends no password over plain http, and gives no return address then", async () => {
    site.faults.noApiLink = 1;
    const { port } = new URL(site.url);
    const { status, authorizeUrl, reason, passwordsPage } = await begin(await newUser(), `http://${NAME}:${port}`);
    expect([status, authorizeUrl, reason]).toEqual([200, null, "plain-http"]);
    expect(passwordsPage).toMatch(/\/wp-admin\/authorize-application\.php\?app_name=Content\+Planner&app_id=[^&]+$/);
  });

  it("says why a site is not found, and what is no address at its field", async () => {
    const { caller } = await newUser();
    for (const url of ["not an address", "https://me:secret@blog.example", "ftp://blog.example", ""]) {
      const refused = await caller.post<{ fields: object }>("/api/wordpress/connect", { url });
      expect([url, refused.status, Object.keys(refused.body.fields)]).toEqual([url, 400, ["url"]]);
    }
    const answer = await caller.post<{ type: string; detail: string }>("/api/wordpress/connect", {
      url: "http://127.0.0.1:9",
    });
    expect([answer.status, answer.body.type]).toEqual([502, "CONNECTION_ERROR"]);
  });
});

describe("GET /api/wordpress/connected/{state}", () => {
  it("saves the sealed password of the site that was asked for, and leaves no trace in the address", async () => {
    const user = await newUser();
    const to = await returnAddress(user);
    const answer = await user.caller.get(
      `${to.pathname}?${new URLSearchParams({ site_url: site.url, user_login: "editor", password: GIVEN })}`,
    );
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      location: "/settings?connected=ok",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    const { open } = await import("@/lib/crypto/secret-box");
    const row = await stored(user.id);
    expect(row).toEqual({ url: site.url, username: "editor", password: expect.any(String) });
    expect(row?.password).not.toContain("abcd");
    expect(open(row?.password ?? "", { owner: user.id, field: "wordpressPassword" })).toBe(GIVEN);
  });

  it("connects for good: the connection test passes with what the sample site gave", async () => {
    const user = await newUser();
    expect(await approve(user)).toBe("ok");
    expect((await user.caller.post("/api/wordpress/test")).body).toMatchObject({
      report: {
        name: "Sample WordPress site",
        url: site.url,
        version: "6.5.5",
        role: "editor",
        mayNot: [],
        plugins: [],
      },
    });
  });

  it("saves nothing when the user does not approve", async () => {
    const user = await newUser();
    const { authorizeUrl } = await begin(user);
    const rejected = new URL(new URL(authorizeUrl ?? "").searchParams.get("reject_url") ?? "");
    const answer = await user.caller.get(rejected.pathname + rejected.search);
    expect(answer.headers.get("location")).toBe("/settings?connected=rejected");
    expect(await stored(user.id)).toEqual(NOTHING);
    expect(await comeBack(user, rejected)).toBe("expired");
  });

  it.each<[string, Given]>([
    ["a password", { password: "" }],
    ["a password of a length that any has", { password: "x".repeat(401) }],
    ["a username", { user_login: "" }],
    ["an address of a length that any has", { site_url: `https://x.example/${"x".repeat(2_000)}` }],
  ])("saves nothing without %s", async (_what, given) => {
    const user = await newUser();
    expect(await comeBack(user, await returnAddress(user), given)).toBe("rejected");
    expect(await stored(user.id)).toEqual(NOTHING);
  });

  it("takes a state once, also from two requests at the same time", async () => {
    const user = await newUser();
    const to = await returnAddress(user);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => comeBack(user, to)));
    expect(outcomes.sort()).toEqual(["expired", "expired", "expired", "ok"]);
  });

  it("takes a state for ten minutes, which the schedule then forgets", async () => {
    const user = await newUser();
    const to = await returnAddress(user);
    const [row] = await query<{ minutes: number }>(
      "SELECT extract(epoch FROM expires_at - now()) / 60 AS minutes FROM site_connections WHERE user_id = $1",
      [user.id],
    );
    expect(Number(row?.minutes)).toBeGreaterThan(9.5);
    expect(Number(row?.minutes)).toBeLessThanOrEqual(10);
    await query("UPDATE site_connections SET expires_at = now() WHERE user_id = $1", [user.id]);
    expect(await comeBack(user, to)).toBe("expired");
    expect(await stored(user.id)).toEqual(NOTHING);
    const fresh = await returnAddress(user);
    const { pruneFormerSites } = await import("@/lib/features/sites/steps");
    await pruneFormerSites();
    expect(await query("SELECT 1 FROM site_connections WHERE user_id = $1", [user.id])).toHaveLength(1);
    expect(await comeBack(user, fresh)).toBe("ok");
  });

  it("takes a state from the session alone that asked for it, and leaves it to that one", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const to = await returnAddress(user);
    const secondSession = createCaller();
    await secondSession.post("/api/login", { username: user.username, password: PASSWORD });
    const forged = new URL(to);
    forged.pathname = to.pathname.replace(/[^/]+$/, "A".repeat(43));
    expect(await comeBack(user, forged)).toBe("expired");
    expect(await comeBack(other, to)).toBe("expired");
    expect(await comeBack({ caller: secondSession }, to)).toBe("expired");
    expect(await comeBack({ caller: createCaller() }, to)).toBe("expired");
    expect([await stored(user.id), await stored(other.id)]).toEqual([NOTHING, NOTHING]);
    expect(await comeBack(user, to)).toBe("ok");
  });

  it.each([
    ["another host", () => "https://elsewhere.example"],
    ["another folder", () => `${site.url}/blog`],
    ["another port", () => "http://127.0.0.1:9"],
    ["no address", () => "elsewhere"],
    ["no web address", () => `ftp://${new URL(site.url).host}`],
  ])("saves no password of another site: %s", async (_what, siteUrl) => {
    const user = await newUser();
    expect(await comeBack(user, await returnAddress(user), { site_url: siteUrl() })).toBe("other-site");
    expect(await stored(user.id)).toEqual(NOTHING);
  });

  it("knows the site by its place: whether https, with a slash, or where WordPress itself is", async () => {
    const user = await newUser();
    const secure = `${site.url.replace("http:", "https:")}/`;
    expect(await comeBack(user, await returnAddress(user), { site_url: secure })).toBe("ok");
    site.faults.rewrite = (answer) => ({
      ...answer,
      body: { ...(answer.body as object), url: `${site.url}/wp` },
    });
    const to = await returnAddress(user);
    expect(await comeBack(user, to, { site_url: `${site.url}/wp` })).toBe("ok");
    // What is saved is the address that was asked for.
    expect((await stored(user.id))?.url).toBe(site.url);
  });

  it("keeps path and query out of the log, also when saving fails", async () => {
    const lines: string[] = [];
    const write = jest.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
    const user = await newUser();
    const states: string[] = [];
    const attempt = async (given?: Given) => {
      const to = await returnAddress(user);
      states.push(to.pathname.split("/").pop() ?? "");
      return comeBack(user, to, given);
    };
    await query("ALTER TABLE users ADD CONSTRAINT refused CHECK (wordpress_username <> 'refused') NOT VALID");
    try {
      expect(await attempt()).toBe("ok");
      expect(await attempt({ site_url: "https://elsewhere.example" })).toBe("other-site");
      expect(await attempt({ password: "" })).toBe("rejected");
      expect(await attempt({ user_login: "refused" })).toBe("failed");
    } finally {
      await query("ALTER TABLE users DROP CONSTRAINT refused");
      write.mockRestore();
    }
    const logged = lines.join("");
    expect(logged).toContain("unexpected failure");
    for (const secret of [...states, GIVEN, encodeURIComponent(GIVEN), "abcd", "elsewhere", "connected/"])
      expect([secret, logged.includes(secret)]).toEqual([secret, false]);
  });
});

describe("connecting one of several sites", () => {
  const OTHER = "https://other.example";
  const sitesOf = async ({ caller }: User) => (await caller.get<SiteOut[]>("/api/sites")).body;

  /** A user whose default site is another one. */
  async function newUserElsewhere() {
    const user = await newUser();
    await user.caller.patch("/api/user/settings", {
      wordpressUrl: OTHER,
      wordpressUsername: "me",
      wordpressPassword: "of the other site",
    });
    return user;
  }

  it("adds a new one under its name, beside the default one", async () => {
    const user = await newUserElsewhere();
    expect(await approve(user, { target: "new", name: "Garden blog" })).toBe("ok");
    expect(await sitesOf(user)).toMatchObject([
      { url: OTHER, username: "me", isDefault: true },
      { name: "Garden blog", url: site.url, username: "editor", role: "editor", isDefault: false },
    ]);
  });

  it("adds none that is there already, and says so before the user goes to it", async () => {
    const user = await newUserElsewhere();
    await approve(user, { target: "new" });
    const again = await user.caller.post<{ error: string }>("/api/wordpress/connect", { url: site.url, target: "new" });
    expect([again.status, again.body.error]).toEqual([409, expect.stringContaining("is among your sites already")]);
  });

  it("adds none whose account may not publish there", async () => {
    const user = await newUserElsewhere();
    const { username: user_login, applicationPassword: password } = site.users.subscriber;
    expect(await comeBack(user, await returnAddress(user, { target: "new" }), { user_login, password })).toBe(
      "forbidden",
    );
    expect(await sitesOf(user)).toHaveLength(1);
  });

  it("gives a site of the list its new password, and leaves the default one alone", async () => {
    const user = await newUserElsewhere();
    await approve(user, { target: "new", name: "Garden blog" });
    const id = (await sitesOf(user))[1]?.id ?? "";
    await query("UPDATE sites SET password = NULL WHERE id = $1", [id]);
    expect(await approve(user, { target: id })).toBe("ok");
    expect(await sitesOf(user)).toMatchObject([
      { url: OTHER, username: "me" },
      { id, name: "Garden blog", hasPassword: true },
    ]);
    expect((await user.caller.post(`/api/sites/${id}/test`)).status).toBe(200);
  });

  it("gives nothing to a site of another user, or to one that is removed meanwhile", async () => {
    const [user, other] = [await newUserElsewhere(), await newUserElsewhere()];
    await approve(user, { target: "new" });
    const id = (await sitesOf(user))[1]?.id ?? "";
    expect((await begin(other, site.url, { target: id })).status).toBe(404);
    const to = await returnAddress(user, { target: id });
    expect((await user.caller.delete(`/api/sites/${id}`)).status).toBe(204);
    expect(await comeBack(user, to)).toBe("failed");
    expect(await sitesOf(user)).toMatchObject([{ url: OTHER, username: "me" }]);
  });
});
