import { type Action, actions, walkActions } from "@/tests/support/action-doors";
import { callAction } from "@/tests/support/action-request";
import { query } from "@/tests/support/db";
import { newPerson, PASSWORD, type Person } from "@/tests/support/factories";
import { newWorld, snapshot } from "@/tests/support/world";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

const callAs = async (cookie: string | undefined, action: Action, input: unknown) =>
  (await callAction(() => action(input), { cookie })).answer;

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
        if (actions[name]?.form === "leads") {
          expect([name, result]).toEqual([
            name,
            { ok: true, data: expect.stringMatching(/^\/(auth|settings)\?error=/) },
          ]);
          continue;
        }
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
      const input = { username: person.username, password: PASSWORD };
      const { cookies } = await callAction(() => signInAction(input));
      expect(cookies.session?.value).toMatch(/^[\w-]{43}$/);
      tokens.add(cookies.session?.value ?? "");
    }
    expect(tokens.size).toBe(2);
    const [token] = tokens;
    const { cookies } = await callAction(() => signOutAction(undefined), { cookie: `session=${token}` });
    expect(cookies.session?.value).toBe("");
    const rows = await query("SELECT 1 FROM sessions WHERE user_id = $1", [person.id]);
    expect(rows).toHaveLength(2);
  });
});

describe("the way to Google", () => {
  it("leads back with the reason when nobody answers there, to own paths only, and never with what a form made up", async () => {
    const found = Object.fromEntries(await walkActions()) as Record<string, Action>;
    const go = (next: unknown) => callAs(undefined, found.continueWithGoogleAction as Action, { next });
    for (const next of ["//evil.example", "https://evil.example/", "/api/user", new Blob(["x"]), ["/a", "/b"]]) {
      expect(await go(next)).toMatchObject({ data: expect.stringMatching(/^\/auth\?error=Unreachable(&next=%2Fa)?$/) });
    }
    expect(await go("/content?a=b")).toEqual({ ok: true, data: "/auth?error=Unreachable&next=%2Fcontent%3Fa%3Db" });
    expect(await callAs(undefined, found.signInAgainAction as Action, {})).toEqual({
      ok: true,
      data: "/auth?next=/settings",
    });
  });

  it("is begun two hundred times an hour from an address, and then without asking Google", async () => {
    const { continueWithGoogleAction } = Object.fromEntries(await walkActions()) as Record<string, Action>;
    const led: Record<string, number> = {};
    for (let n = 0; n < 201; n++) {
      const begun = callAction(() => (continueWithGoogleAction as Action)({}), { address: "10.99.0.1" });
      const { data } = (await begun).answer as { data: string };
      led[data] = (led[data] ?? 0) + 1;
    }
    expect(led).toEqual({ "/auth?error=Unreachable": 200, "/auth?error=TooOften": 1 });
  });
});
