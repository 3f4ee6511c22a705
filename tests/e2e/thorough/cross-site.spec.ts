import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { INITIAL_FORM_STATE } from "@/lib/transport/form-state";
import { e2eQuery, PASSWORD, registerUser } from "@/tests/support/e2e-user";

const { E2E_BASE_URL = "" } = process.env;

const OTHER_PASSWORD = "planted by another site";
/** Another port is another origin, but the same site: the browser sends the session cookie. */
const NEIGHBOUR = "http://localhost:49999";

type Manifest = { node: Record<string, { exportedName: string; workers: Record<string, unknown> }> };
type Action = { id: string; name: string; path: string };

function actions(): Action[] {
  const { node } = JSON.parse(readFileSync(".next/server/server-reference-manifest.json", "utf8")) as Manifest;
  return Object.entries(node).map(([id, { exportedName, workers }]) => {
    const worker = Object.keys(workers).find((name) => !name.includes("[")) ?? "";
    const path = worker.replace(/^app|\/page$|\/\([^)]+\)/g, "");
    return { id, name: exportedName, path: path || "/" };
  });
}

type User = { id: string; username: string; email: string; resetToken: string };

/** A signed-in user with everything that an action could change. */
async function newUser(context: BrowserContext): Promise<User> {
  const username = `visited.${Date.now()}`;
  const id = await registerUser(context, username);
  const email = `${username}@example.com`;
  const resetToken = createHash("sha256").update(username).digest("base64url");
  await e2eQuery("UPDATE users SET email = $2 WHERE id = $1", [id, email]);
  await e2eQuery(
    "INSERT INTO password_resets (token_hash, user_id, expires) VALUES ($1, $2, now() + interval '1 hour')",
    [createHash("sha256").update(resetToken).digest("base64url"), id],
  );
  return { id, username, email, resetToken };
}

/** Everything an action could have written: the account, its sessions, resets and projects, and accounts that were made. */
function stateOf({ id }: User): Promise<unknown[]> {
  return e2eQuery(
    `SELECT (SELECT to_jsonb(u) FROM users u WHERE id = $1) AS account,
       (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.id) FROM sessions s WHERE user_id = $1) AS sessions,
       (SELECT jsonb_agg(to_jsonb(r) ORDER BY r.token_hash) FROM password_resets r WHERE user_id = $1) AS resets,
       (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.id) FROM projects p WHERE user_id = $1) AS projects,
       (SELECT count(*) FROM audit_events WHERE user_id = $1) AS events,
       (SELECT count(*) FROM users WHERE username LIKE 'planted.%') AS planted`,
    [id],
  );
}

/** An input that each action would accept. A new action without an entry fails the test. */
function inputsOf({ username, email, resetToken }: User): Record<string, unknown> {
  return {
    createProjectAction: { title: "Planted" },
    saveSettingsAction: { wordpressUsername: "planted" },
    signInAction: { username, password: PASSWORD },
    registerAction: { username: `planted.${Date.now()}`, password: PASSWORD },
    signOutAction: "$undefined",
    // Forms get the state they were rendered with; what the user types is in their fields.
    signInForm: INITIAL_FORM_STATE,
    registerForm: INITIAL_FORM_STATE,
    requestResetForm: INITIAL_FORM_STATE,
    requestResetAction: { email },
    continueWithGoogleAction: "$undefined",
    reauthenticateAction: "$undefined",
    linkGoogleAction: { currentPassword: PASSWORD },
    unlinkGoogleAction: { currentPassword: PASSWORD },
    confirmResetAction: { token: resetToken, password: OTHER_PASSWORD },
  };
}

/** What a user types into the forms that work without scripts. */
function typedOf({ name }: Action, { username, email }: User): Record<string, string> {
  if (!name.endsWith("Form")) return {};
  const account = { username: `planted.${Date.now()}`, email: "" };
  return { username, ...(name === "registerForm" ? account : { email }), password: PASSWORD, next: "/" };
}

/** A form that calls the action without any script: its fields carry the input, bound to the call. */
function formOf({ id, path }: Action, input: unknown, typed: Record<string, string> = {}): string {
  const fields = {
    ...typed,
    $ACTION_REF_1: "",
    "$ACTION_1:0": JSON.stringify({ id, bound: "$@1" }),
    "$ACTION_1:1": JSON.stringify([input]),
  };
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${escapeHtml(value)}">`);
  return `<form method="post" enctype="multipart/form-data" action="${E2E_BASE_URL}${path}">${inputs.join("")}</form>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Opens a page of the other origin. `no-referrer` makes the browser send `null` as the origin of its forms. */
async function visitNeighbour(page: Page, body: string, referrer: "origin" | "no-referrer"): Promise<void> {
  const html = `<!doctype html><meta name="referrer" content="${referrer}">${body}`;
  await page.unroute(`${NEIGHBOUR}/**`);
  await page.route(`${NEIGHBOUR}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${NEIGHBOUR}/prize`);
}

test("a page of another origin cannot run an action, even with our cookie (S9)", async ({ context, page }) => {
  const user = await newUser(context);
  const inputs = inputsOf(user);
  const before = await stateOf(user);
  let attempts = 0;
  for (const action of actions()) {
    expect(Object.keys(inputs)).toContain(action.name);
    for (const [referrer, origin] of [
      ["origin", NEIGHBOUR],
      ["no-referrer", "null"],
    ] as const) {
      await visitNeighbour(page, formOf(action, inputs[action.name], typedOf(action, user)), referrer);
      const sent = page.waitForRequest((request) => request.method() === "POST");
      const loaded = page.waitForEvent("load");
      const [request] = await Promise.all([sent, page.evaluate(() => document.forms[0]?.submit())]);
      const headers = await request.allHeaders();
      expect([action.name, headers.origin]).toEqual([action.name, origin]);
      // Without the cookie the test would prove nothing.
      expect(headers.cookie).toContain("session=");
      const answer = await request.response();
      expect([action.name, origin, (answer?.status() ?? 0) >= 400]).toEqual([action.name, origin, true]);
      expect(await answer?.headerValue("set-cookie")).toBeNull();
      await loaded;
      attempts++;
    }
  }
  expect(await stateOf(user)).toEqual(before);

  // The same forms work on our own page: only the origin was refused.
  for (const name of ["createProjectAction", "saveSettingsAction"]) {
    const action = actions().find((one) => one.name === name);
    if (!action) throw new Error(`${name} is not in the build`);
    await page.goto("/nowhere");
    const form = formOf(action, inputs[name]);
    const sent = page.waitForRequest((request) => request.method() === "POST");
    const loaded = page.waitForEvent("load");
    await page.evaluate((html) => {
      document.body.innerHTML = html;
      document.forms[0]?.submit();
    }, form);
    expect((await (await sent).response())?.status()).toBe(200);
    await loaded;
  }
  const after = JSON.stringify(await stateOf(user));
  expect(after).toContain('"title":"Planted"');
  expect(after).toContain('"wordpress_username":"planted"');
  process.stdout.write(`S9 actions: ${attempts} forms of another origin in a browser, all refused\n`);
});

test("refuses actions called with any Origin header but our own (S9)", async ({ context, page }) => {
  const user = await newUser(context);
  const inputs = inputsOf(user);
  const before = await stateOf(user);
  const { port } = new URL(E2E_BASE_URL);
  const origins = [
    "https://evil.example",
    "null",
    NEIGHBOUR,
    `http://localhost.evil.example:${port}`,
    `http://evil.example:${port}`,
    `http://localhost:${port}0`,
  ];
  const call = ({ id, name, path }: Action, origin: string) =>
    page.request.post(path, {
      headers: { "next-action": id, "content-type": "text/plain;charset=UTF-8", accept: "text/x-component", origin },
      data: JSON.stringify([inputs[name]]),
    });
  let attempts = 0;
  for (const action of actions()) {
    const { name } = action;
    for (const origin of origins) {
      const answer = await call(action, origin);
      expect([name, origin, answer.status() >= 400]).toEqual([name, origin, true]);
      expect(answer.headers()["set-cookie"]).toBeUndefined();
      attempts++;
    }
  }
  expect(await stateOf(user)).toEqual(before);

  // The same call from our own origin is taken: it was the origin that was refused.
  const own = actions().find(({ name }) => name === "createProjectAction");
  if (!own) throw new Error("createProjectAction is not in the build");
  expect((await call(own, E2E_BASE_URL)).status()).toBe(200);
  expect(JSON.stringify(await stateOf(user))).toContain('"title":"Planted"');
  process.stdout.write(`S9 actions: ${attempts} calls from other origins, all refused\n`);
});

type Call = { method: string; mode?: "no-cors"; headers?: Record<string, string>; body?: string };

test("lets scripts of another origin neither call nor read anything (S9)", async ({ context, page }) => {
  const user = await newUser(context);
  const before = await stateOf(user);
  await visitNeighbour(page, "<p>You have won.</p>", "origin");
  const calls = [
    { path: "/api/projects", init: { method: "POST", mode: "no-cors", body: '{"title":"Planted"}' } },
    { path: "/api/logout", init: { method: "POST", mode: "no-cors" } },
    { path: "/api/user/sessions", init: { method: "DELETE" } },
    {
      path: "/api/user/settings",
      init: { method: "PATCH", headers: { "content-type": "application/json" }, body: "{}" },
    },
    { path: "/", init: { method: "POST", headers: { "next-action": actions()[0]?.id ?? "" }, body: "[]" } },
    { path: "/api/user", init: { method: "GET" } },
    { path: "/", init: { method: "GET", mode: "no-cors" } },
  ] as { path: string; init: Call }[];
  const answers = await page.evaluate(
    ({ calls, base }) =>
      Promise.all(
        calls.map(({ path, init }) =>
          fetch(base + path, { ...init, credentials: "include" }).then(
            async (response) => `${response.type} ${response.status} ${await response.text()}`,
            () => "blocked",
          ),
        ),
      ),
    { calls, base: E2E_BASE_URL },
  );
  // Opaque: the request was sent, but its response cannot be read.
  for (const answer of answers) expect(answer).toMatch(/^(blocked|opaque 0 )$/);
  expect(await stateOf(user)).toEqual(before);
  const framed = await page.evaluate(
    (base) =>
      new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.src = `${base}/settings`;
        frame.onload = () => resolve(frame.contentDocument === null);
        document.body.append(frame);
      }),
    E2E_BASE_URL,
  );
  expect(framed).toBe(true);
  const [, shown] = page.frames();
  expect(shown?.url()).toMatch(/^chrome-error:/);
});
