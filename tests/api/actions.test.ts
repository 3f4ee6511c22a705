import { callAction } from "@/tests/support/action-request";
import { type Action, listActions, validActionCalls } from "@/tests/support/actions";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";
import { newWorld, snapshot } from "@/tests/support/world";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

const callAs = async (cookie: string | undefined, action: Action, input: unknown) =>
  (await callAction(() => action(input), { cookie })).answer;

async function expiredSessionCookie(): Promise<string> {
  const { caller } = await newUser();
  const cookie = caller.cookie() ?? "";
  await caller.post("/api/logout");
  return cookie;
}

async function disabledCookie(): Promise<string> {
  const { caller, id } = await newUser();
  await query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
  return caller.cookie() ?? "";
}

/** The session outlives the deletion here, as one that began meanwhile would. */
async function deletedCookie(): Promise<string> {
  const { caller, id } = await newUser();
  await query("UPDATE users SET deleted_at = now() WHERE id = $1", [id]);
  return caller.cookie() ?? "";
}

describe("every server action", () => {
  it("is listed in tests/support/actions.ts, and nothing else is", async () => {
    const checked = (await listActions()).map(([name]) => name).sort();
    expect(checked).toEqual(Object.keys(validActionCalls).sort());
    process.stdout.write(`S2: ${checked.length} of ${checked.length} server validActionCalls are in the matrix\n`);
  });

  it("refuses a call without a session, an expired session, a disabled or deleted account and a forged cookie, and changes nothing", async () => {
    const owner = await newWorld();
    const before = await snapshot(owner);
    const strangers = [
      undefined,
      await expiredSessionCookie(),
      await disabledCookie(),
      await deletedCookie(),
      `session=${"x".repeat(43)}`,
    ];
    let cases = 0;
    for (const [name, action] of await listActions()) {
      if (validActionCalls[name]?.open) continue;
      for (const cookie of strangers) {
        const result = await callAs(cookie, action, validActionCalls[name]?.input(owner));
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

  it("acts for the session's user, whatever ids are in the input", async () => {
    const owner = await newWorld();
    for (const [name, action] of await listActions()) {
      const other = await newWorld();
      const before = await snapshot(owner);
      await validActionCalls[name]?.before?.(other);
      const input = validActionCalls[name]?.input(other);
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

  it("answers malformed input with a sentence, never with a stack", async () => {
    const { caller } = await newUser();
    for (const [name, action] of await listActions()) {
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
        if (validActionCalls[name]?.form === "leads") {
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
  it("sets a new cookie each time, and signing out removes it", async () => {
    const user: User = await newUser();
    const { signInAction, signOutAction } = Object.fromEntries(await listActions()) as Record<string, Action>;
    if (!signInAction || !signOutAction) throw new Error("no sign-in actions");
    const tokens = new Set<string>();
    for (let n = 0; n < 2; n++) {
      const input = { username: user.username, password: PASSWORD };
      const { cookies } = await callAction(() => signInAction(input));
      expect(cookies.session?.value).toMatch(/^[\w-]{43}$/);
      tokens.add(cookies.session?.value ?? "");
    }
    expect(tokens.size).toBe(2);
    const [token] = tokens;
    const { cookies } = await callAction(() => signOutAction(undefined), { cookie: `session=${token}` });
    expect(cookies.session?.value).toBe("");
    const rows = await query("SELECT 1 FROM sessions WHERE user_id = $1", [user.id]);
    expect(rows).toHaveLength(2);
  });
});

describe("the redirect to Google", () => {
  it("returns with the reason when Google cannot be reached, and only to paths of this app", async () => {
    const found = Object.fromEntries(await listActions()) as Record<string, Action>;
    const go = (next: unknown) => callAs(undefined, found.continueWithGoogleAction as Action, { next });
    for (const next of ["//evil.example", "https://evil.example/", "/api/user", new Blob(["x"]), ["/a", "/b"]]) {
      expect(await go(next)).toMatchObject({ data: expect.stringMatching(/^\/auth\?error=Unreachable(&next=%2Fa)?$/) });
    }
    expect(await go("/content?a=b")).toEqual({ ok: true, data: "/auth?error=Unreachable&next=%2Fcontent%3Fa%3Db" });
    expect(await callAs(undefined, found.reauthenticateAction as Action, {})).toEqual({
      ok: true,
      data: "/auth?next=/settings",
    });
  });

  it("is started 200 times an hour from one address; after that Google is not asked", async () => {
    const { continueWithGoogleAction } = Object.fromEntries(await listActions()) as Record<string, Action>;
    const redirects: Record<string, number> = {};
    for (let n = 0; n < 201; n++) {
      const begun = callAction(() => (continueWithGoogleAction as Action)({}), { address: "10.99.0.1" });
      const { data } = (await begun).answer as { data: string };
      redirects[data] = (redirects[data] ?? 0) + 1;
    }
    expect(redirects).toEqual({ "/auth?error=Unreachable": 200, "/auth?error=TooOften": 1 });
  });
});
