import "@/tests/wordpress/local-sites";

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Agent, fetch } from "undici";
import type { ConnectOut } from "@/lib/features/sites/connecting/schema";
import { testedSites } from "@/scripts/wordpress-sites";
import { createCaller } from "@/tests/support/app";
import { createAuthority } from "@/tests/support/certificates";
import { newUser } from "@/tests/support/factories";
import { startHttpsProxy } from "@/tests/support/https-proxy";
import { type RealWordPress, startRealWordPress } from "@/tests/support/real-wordpress";

// A site in production, whose user approves the connection on WordPress' own page, without scripts. The app trusts the test's
// authority, which nothing but its certificates is about.
const CA = "TEST_AUTHORITY_FILE";
jest.mock("undici", () => {
  const undici = jest.requireActual<typeof import("undici")>("undici");
  const read = jest.requireActual<typeof import("node:fs")>("node:fs").readFileSync;
  const buildConnector: typeof undici.buildConnector = (options) =>
    undici.buildConnector({ ...options, ca: read(process.env.TEST_AUTHORITY_FILE ?? "") });
  return { ...undici, buildConnector };
});

const APP = "https://planner.example";
process.env.APP_URL = APP;

const folder = mkdtempSync(path.join(os.tmpdir(), "wordpress-https-"));
const authority = createAuthority(folder, "authority");
process.env[CA] = authority.file;
const dispatcher = new Agent({ connect: { ca: readFileSync(authority.file) } });

afterAll(async () => {
  await dispatcher.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser without scripts: it keeps cookies and follows no redirect. */
function createBrowser() {
  const jar = new Map([["wordpress_test_cookie", "WP Cookie check"]]);
  return async (url: string, form?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      headers: { cookie },
      redirect: "manual",
      dispatcher,
      ...(form ? { method: "POST", body: new URLSearchParams(form).toString() } : {}),
      ...(form ? { headers: { cookie, "content-type": "application/x-www-form-urlencoded" } } : {}),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    return { status: answer.status, location: answer.headers.get("location"), html: await answer.text() };
  };
}

/** The fields of the form to approve, but for its buttons. */
function fieldsOf(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input type="(?:hidden|text)"[^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? "",
    (/value="([^"]*)"/.exec(tag)?.[1] ?? "").replaceAll("&#038;", "&").replaceAll("&amp;", "&"),
  ]);
  return Object.fromEntries(inputs);
}

const sites = testedSites(process.env.WORDPRESS_SITES);

describe.each(sites)("$title over https", ({ options }) => {
  let proxy: Awaited<ReturnType<typeof startHttpsProxy>>;
  let site: RealWordPress;

  beforeAll(async () => {
    proxy = await startHttpsProxy(authority.sign("127.0.0.1"));
    const url = proxy.url + (options.subdirectory ?? "");
    site = await startRealWordPress({ ...options, url, environment: "production" });
    proxy.passTo(Number(new URL(site.origin).port));
  }, 90_000);
  afterAll(async () => {
    await site?.stop();
    await proxy.close();
  });

  async function newVisitor() {
    const { caller } = await newUser();
    return createCaller(`__Host-${caller.cookie()}`);
  }

  async function signIn(role: "author" | "editor") {
    const browse = createBrowser();
    const form = { log: role, pwd: `${role}-login-password`, testcookie: "1" };
    expect((await browse(`${site.url}/wp-login.php`, form)).status).toBe(302);
    return browse;
  }

  it("gives a password to the app that the user approves, and the test describes the site", async () => {
    const caller = await newVisitor();
    const { body } = await caller.post<ConnectOut>("/api/wordpress/connect", { url: `${site.url}/wp-admin` });
    expect(body).toMatchObject({ reason: null, authorizeUrl: expect.stringContaining(`${site.url}/wp-admin/`) });
    const browse = await signIn("author");
    const page = await browse(body.authorizeUrl ?? "");
    expect([page.status, page.html]).toEqual([200, expect.stringContaining("Content Planner")]);
    const form = { ...fieldsOf(page.html), approve: "1" };
    const approved = await browse(`${site.url}/wp-admin/authorize-application.php`, form);
    expect(approved.location).toMatch(new RegExp(`^${APP}/api/wordpress/connected/[\\w-]{43}\\?site_url=`));
    const back = new URL(approved.location ?? "");
    const answer = await caller.get(back.pathname + back.search);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/settings?connected=ok"]);
    const tested = await caller.post<{ report: object }>("/api/wordpress/test");
    expect(tested.body.report).toMatchObject({
      url: site.url,
      version: site.version.replace(/-src$/, ""),
      role: "author",
      mayNot: ["create categories", "edit others' posts"],
      plugins: [],
    });
  });

  it("sends the browser back without a password when the user does not approve", async () => {
    const caller = await newVisitor();
    const { body } = await caller.post<ConnectOut>("/api/wordpress/connect", { url: site.url });
    const browse = await signIn("editor");
    const form = { ...fieldsOf((await browse(body.authorizeUrl ?? "")).html), reject: "1" };
    const back = new URL((await browse(`${site.url}/wp-admin/authorize-application.php`, form)).location ?? "");
    const answer = await caller.get(back.pathname + back.search);
    expect(answer.headers.get("location")).toBe("/settings?connected=rejected");
  });

  it("refuses a return address over http, and shows its page without one", async () => {
    const caller = await newVisitor();
    const { body } = await caller.post<ConnectOut>("/api/wordpress/connect", { url: site.url });
    const browse = await signIn("editor");
    const plain = (body.authorizeUrl ?? "").replaceAll(
      encodeURIComponent(APP),
      encodeURIComponent("http://planner.example"),
    );
    expect((await browse(plain)).html).toContain("secure connection");
    const page = await browse(body.passwordsPage);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining("Content Planner")]);
  });
});
