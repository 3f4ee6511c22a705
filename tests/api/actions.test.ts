import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ActionResult } from "@/lib/transport/action";
import { query } from "@/tests/support/db";
import { newPerson, PASSWORD, type Person } from "@/tests/support/factories";
import { newWorld, snapshot, storeReset, type World } from "@/tests/support/world";

type Sent = { cookie: string | undefined; headers: Record<string, string> };
type Action = (input: unknown) => Promise<ActionResult<unknown>>;

// What Next hands an action: the request's cookies and headers. A cookie set by the action is kept here.
let sent: Sent = { cookie: undefined, headers: {} };
let cookiesSet: Record<string, string> = {};

jest.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => {
      const [key, value] = (sent.cookie ?? "").split("=");
      return key === name ? { name, value } : undefined;
    },
    set: (name: string, value: string) => {
      cookiesSet[name] = value;
    },
  }),
  headers: async () => new Headers({ "x-forwarded-for": "10.77.0.1", ...sent.headers }),
}));

/** How each server action is called well, and whether anybody may. */
type ActionDoor = { open?: true; input: (person: World) => unknown; before?: (person: World) => Promise<void> };
const actions: Record<string, ActionDoor> = {
  signInAction: { open: true, input: ({ username }) => ({ username, password: PASSWORD }) },
  registerAction: { open: true, input: () => ({ username: freeName(), password: PASSWORD }) },
  requestResetAction: { open: true, input: () => ({ email: `${freeName()}-${Date.now()}@example.com` }) },
  confirmResetAction: {
    open: true,
    before: storeReset,
    input: ({ resetToken }) => ({ token: resetToken, password: "a wholly other long phrase" }),
  },
  signOutAction: { open: true, input: () => undefined },
  saveSettingsAction: { input: () => ({ wordpressUsername: "editor" }) },
  createProjectAction: { input: () => ({ title: "Balcony" }) },
};

let names = 0;
const freeName = () => `action${process.pid}${++names}`;

async function walkActions(): Promise<[string, Action][]> {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.resolve(folder, file)),
  );
  const ours = files.filter(
    (file) => /\.tsx?$/.test(file) && /^\s*["']use server["']/m.test(readFileSync(file, "utf8")),
  );
  const modules = await Promise.all(ours.map((file) => import(file) as Promise<Record<string, Action>>));
  return modules.flatMap((module) => Object.entries(module).filter(([, value]) => typeof value === "function"));
}

async function callAs(cookie: string | undefined, action: Action, input: unknown) {
  sent = { cookie, headers: {} };
  cookiesSet = {};
  return action(input);
}

async function endedCookie(): Promise<string> {
  const { caller } = await newPerson();
  const cookie = caller.cookie() ?? "";
  await caller.post("/api/logout");
  return cookie;
}

async function disabledCookie(): Promise<string> {
  const { caller, id } = await newPerson();
  await query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
  return caller.cookie() ?? "";
}

describe("every server action", () => {
  it("has a line here, and no other has", async () => {
    const walked = (await walkActions()).map(([name]) => name).sort();
    expect(walked).toEqual(Object.keys(actions).sort());
    process.stdout.write(`S2: ${walked.length} of ${walked.length} server actions are in the matrix\n`);
  });

  it("refuses nobody, an ended session, a disabled account and a forged cookie, and changes nothing", async () => {
    const owner = await newWorld();
    const before = await snapshot(owner);
    const strangers = [undefined, await endedCookie(), await disabledCookie(), `session=${"x".repeat(43)}`];
    let cases = 0;
    for (const [name, action] of await walkActions()) {
      if (actions[name]?.open) continue;
      for (const cookie of strangers) {
        const result = await callAs(cookie, action, actions[name]?.input(owner));
        expect([name, result]).toEqual([
          name,
          { ok: false, error: expect.objectContaining({ type: "UNAUTHENTICATED", status: 401 }) },
        ]);
        expect(JSON.stringify(result)).not.toContain(owner.mark);
        cases++;
      }
    }
    expect(await snapshot(owner)).toEqual(before);
    expect(cases).toBeGreaterThanOrEqual(8);
    process.stdout.write(`S1 server actions: ${cases} cases, 0 leaks\n`);
  });

  it("acts for whoever's session it is, and for nobody whose id is in the input", async () => {
    const owner = await newWorld();
    for (const [name, action] of await walkActions()) {
      const other = await newWorld();
      const before = await snapshot(owner);
      await actions[name]?.before?.(other);
      const input = actions[name]?.input(other);
      const withForeignIds =
        typeof input === "object"
          ? { ...input, userId: owner.id, id: owner.projectId, projectId: owner.projectId }
          : input;
      const result = await callAs(other.caller.cookie(), action, withForeignIds);
      expect([name, result.ok]).toEqual([name, true]);
      expect(JSON.stringify(result)).not.toContain(owner.mark);
      expect(await snapshot(owner)).toEqual(before);
    }
  });

  it("answers input of a wrong shape with a sentence, never with a stack", async () => {
    const { caller } = await newPerson();
    for (const [name, action] of await walkActions()) {
      if (name === "signOutAction") continue;
      for (const input of [
        null,
        7,
        "text",
        [],
        { username: 1 },
        { title: { toString: 1 } },
        new Map(),
        new FormData(),
      ]) {
        const result = await callAs(caller.cookie(), action, input);
        if (result.ok) throw new Error(`${name} took ${JSON.stringify(input)}`);
        expect([name, result.error.type]).toEqual([name, "VALIDATION_ERROR"]);
        expect(JSON.stringify(result)).not.toMatch(/\bat .*\.ts:\d|prisma|SELECT /);
      }
    }
  });
});

describe("signing in through the form", () => {
  it("sets a fresh cookie each time, and signing out takes it away", async () => {
    const person: Person = await newPerson();
    const { signInAction, signOutAction } = Object.fromEntries(await walkActions()) as Record<string, Action>;
    if (!signInAction || !signOutAction) throw new Error("no sign-in actions");
    const tokens = new Set<string>();
    for (let n = 0; n < 2; n++) {
      await callAs(person.caller.cookie(), signInAction, { username: person.username, password: PASSWORD });
      expect(cookiesSet.session).toMatch(/^[\w-]{43}$/);
      tokens.add(cookiesSet.session ?? "");
    }
    expect(tokens.size).toBe(2);
    const [token] = tokens;
    await callAs(`session=${token}`, signOutAction, undefined);
    expect(cookiesSet.session).toBe("");
    const rows = await query("SELECT 1 FROM sessions WHERE user_id = $1", [person.id]);
    expect(rows).toHaveLength(2);
  });
});
