import { randomUUID } from "node:crypto";
import type { Adapter } from "next-auth/adapters";
import { query } from "@/tests/support/db";
import { newUser } from "@/tests/support/factories";

jest.mock("next/headers", () => ({
  headers: async () =>
    new Headers({
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Firefox/126.0",
      "x-forwarded-for": "10.8.8.9",
    }),
}));

async function adapter(replaced?: string): Promise<Required<Adapter>> {
  const { createAdapter } = await import("@/lib/auth/adapter");
  return createAdapter(replaced) as Required<Adapter>;
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const newToken = () => `token-${randomUUID()}`;

describe("next-auth's adapter on our tables", () => {
  it("sets username and emailVerified, and maps name and image", async () => {
    const { createUser, getUserByEmail } = await adapter();
    const name = `jo${randomUUID().slice(0, 8)}`;
    const user = await createUser({
      id: "",
      email: `${name}@Example.com`,
      emailVerified: null,
      name: "Jo",
      image: "https://x.example/a.png",
    });
    const [row] = await query(
      "SELECT username, email, email_verified, display_name, photo_url, password FROM users WHERE id = $1",
      [user.id],
    );
    expect(row).toMatchObject({
      username: name,
      email: `${name}@example.com`,
      email_verified: expect.any(Date),
      display_name: "Jo",
      photo_url: "https://x.example/a.png",
      password: null,
    });
    expect(await getUserByEmail(`${name.toUpperCase()}@example.com`)).toMatchObject({ id: user.id, name: "Jo" });
  });

  it("finds another username when the name is taken", async () => {
    const { username } = await newUser();
    const { createUser } = await adapter();
    const user = await createUser({ id: "", email: `${username.toUpperCase()}@example.org`, emailVerified: null });
    const [row] = await query<{ username: string }>("SELECT username FROM users WHERE id = $1", [user.id]);
    expect(row?.username.toLowerCase()).toMatch(new RegExp(`^${username}-[0-9a-f]{6}$`));
  });

  it("stores session tokens hashed and no provider tokens", async () => {
    const { id } = await newUser();
    const { createSession, getSessionAndUser, linkAccount, getUserByAccount, deleteSession } = await adapter();
    const sessionToken = `token-${randomUUID()}`;
    await createSession({ sessionToken, userId: id, expires: new Date(Date.now() + 60_000) });
    expect(await query("SELECT id FROM sessions WHERE session_token = $1", [sessionToken])).toEqual([]);
    expect(
      await query("SELECT user_agent, address FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1", [id]),
    ).toEqual([{ user_agent: expect.stringContaining("Firefox"), address: "10.8.8.9" }]);
    expect(await getSessionAndUser(sessionToken)).toMatchObject({ session: { userId: id }, user: { id } });
    const account = { provider: "google", providerAccountId: randomUUID() };
    await linkAccount({ ...account, userId: id, type: "oauth", access_token: "secret-access-token" });
    expect(await getUserByAccount(account)).toMatchObject({ id });
    expect(JSON.stringify(await query("SELECT * FROM accounts WHERE user_id = $1", [id]))).not.toContain(
      "secret-access",
    );
    await deleteSession(sessionToken);
    expect(await getSessionAndUser(sessionToken)).toBeNull();
  });

  it("returns the same fields of a user from every method, and no others", async () => {
    const { createUser, getUserByEmail, getUserByAccount, createSession, getSessionAndUser, linkAccount } =
      await adapter();
    const stem = `jo${randomUUID().slice(0, 8)}`;
    const verified = new Date("2026-01-02T03:04:05Z");
    const image = "https://x.example/b.png";
    const named = { email: `${stem}@example.com`, emailVerified: verified, name: "Jo", image };
    const { id } = await createUser({ id: "", ...named });
    const user = { id, ...named };
    expect(await getUserByEmail(named.email)).toEqual(user);
    const account = { provider: "google", providerAccountId: randomUUID() };
    await linkAccount({ ...account, userId: id, type: "oauth" });
    expect(await getUserByAccount(account)).toEqual(user);
    const session = { sessionToken: newToken(), userId: id, expires: inMinutes(5) };
    expect(await createSession(session)).toEqual(session);
    expect(await getSessionAndUser(session.sessionToken)).toEqual({ session, user });
    expect(await query("SELECT type, provider FROM accounts WHERE user_id = $1", [id])).toEqual([
      { type: "oauth", provider: "google" },
    ]);
  });

  it("accepts a user without a name or picture, and returns null for what it cannot find", async () => {
    const { createUser, getUserByEmail, getUserByAccount, getSessionAndUser, linkAccount } = await adapter();
    const email = `${randomUUID()}@example.com`;
    expect(await createUser({ id: "", email, emailVerified: null })).toMatchObject({ name: null, image: null });
    const { id } = await newUser();
    const account = { provider: "google", providerAccountId: randomUUID() };
    await linkAccount({ ...account, userId: id, type: "oauth" });
    expect(await getUserByAccount(account)).toMatchObject({ id, email: "" });
    expect(await getUserByEmail(`not-${email}`)).toBeNull();
    expect(await getUserByAccount({ provider: "google", providerAccountId: randomUUID() })).toBeNull();
    expect(await getSessionAndUser(newToken())).toBeNull();
  });

  it("extends and ends only the given session", async () => {
    const { id } = await newUser();
    const { createSession, getSessionAndUser, updateSession, deleteSession } = await adapter();
    const [mine, other] = [newToken(), newToken()];
    const [soon, later] = [inMinutes(5), inMinutes(50)];
    for (const sessionToken of [mine, other]) await createSession({ sessionToken, userId: id, expires: soon });
    expect(await updateSession({ sessionToken: mine })).toBeNull();
    expect(await updateSession({ sessionToken: mine, expires: later })).toEqual({
      sessionToken: mine,
      userId: id,
      expires: later,
    });
    expect((await getSessionAndUser(mine))?.session.expires).toEqual(later);
    expect((await getSessionAndUser(other))?.session.expires).toEqual(soon);
    await deleteSession(mine);
    expect(await getSessionAndUser(mine)).toBeNull();
    expect(await getSessionAndUser(other)).not.toBeNull();
  });

  it("hides the session that is replaced, and ends it with the new one", async () => {
    const { id } = await newUser();
    const { createSession } = await adapter();
    const [old, next] = [newToken(), newToken()];
    await createSession({ sessionToken: old, userId: id, expires: inMinutes(5) });
    const replacing = await adapter(old);
    expect(await replacing.getSessionAndUser(old)).toBeNull();
    expect(await (await adapter()).getSessionAndUser(old)).not.toBeNull();
    await replacing.createSession({ sessionToken: next, userId: id, expires: inMinutes(5) });
    expect(await (await adapter()).getSessionAndUser(old)).toBeNull();
    expect(await (await adapter()).getSessionAndUser(next)).not.toBeNull();
  });

  it("finds no session of a disabled user", async () => {
    const { id } = await newUser();
    const { createSession, getSessionAndUser } = await adapter();
    const sessionToken = newToken();
    await createSession({ sessionToken, userId: id, expires: inMinutes(5) });
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
    expect(await getSessionAndUser(sessionToken)).toBeNull();
  });
});

describe("the username of a user who registers with a provider", () => {
  const stranger = { email: null, emailVerified: null, displayName: null, photoURL: null };

  async function usernameOf(user: { email?: string | null; displayName?: string | null }): Promise<string> {
    const { createWithFreeUsername } = await import("@/lib/auth/new-user");
    const id = await createWithFreeUsername({ ...stranger, ...user });
    const [row] = await query<{ username: string }>("SELECT username FROM users WHERE id = $1", [id]);
    return row?.username ?? "";
  }

  const unique = () => randomUUID().slice(0, 8);

  it("is the part of the e-mail before the @, or else the name, cut to thirty characters", async () => {
    const [one, two, three] = [unique(), unique(), unique()];
    expect(await usernameOf({ email: `${one}@example.com`, displayName: "Jo" })).toBe(one);
    expect(await usernameOf({ displayName: `Jo (${two})` })).toBe(`Jo${two}`);
    expect(await usernameOf({ email: `${three}${"x".repeat(30)}@example.com` })).toBe(`${three}${"x".repeat(22)}`);
    expect(await usernameOf({ email: "z.8@example.com" })).toBe("z.8");
  });

  it("is generated when there are fewer than three usable characters", async () => {
    for (const user of [{}, { displayName: "園芸" }, { email: "jo@example.com", displayName: "Joanna" }]) {
      expect(await usernameOf(user)).toMatch(/^user-[0-9a-f]{6}$/);
    }
  });

  it("is unique when two people register at once", async () => {
    const name = unique();
    const names = await Promise.all([usernameOf({ displayName: name }), usernameOf({ displayName: name })]);
    expect(names.sort()).toEqual([name, expect.stringMatching(new RegExp(`^${name}-[0-9a-f]{6}$`))]);
  });

  it.each([
    ["username_key", 4],
    ["email", 1],
  ])("is tried four times in all if it is taken, but not for another conflict: %s", async (column, times) => {
    await query("CREATE SEQUENCE tries");
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM nextval('tries');
      RAISE unique_violation USING DETAIL = 'Key (${column})=(x) already exists.';
    END $$`);
    await query("CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()");
    await expect(usernameOf({ displayName: unique() })).rejects.toThrow("Unique constraint failed");
    await query("DROP FUNCTION refuse CASCADE");
    const [row] = await query("SELECT last_value::int AS tries FROM tries");
    await query("DROP SEQUENCE tries");
    expect(row).toEqual({ tries: times });
  });
});
