import { randomUUID } from "node:crypto";
import type { Adapter } from "next-auth/adapters";
import { query } from "@/tests/support/db";
import { newPerson } from "@/tests/support/factories";

jest.mock("next/headers", () => ({
  headers: async () =>
    new Headers({
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Firefox/126.0",
      "x-forwarded-for": "10.8.8.9",
    }),
}));

async function adapter(): Promise<Required<Adapter>> {
  const { createAdapter } = await import("@/lib/auth/adapter");
  return createAdapter() as Required<Adapter>;
}

describe("next-auth's adapter on our tables", () => {
  it("fills username and emailVerified, and maps name and image", async () => {
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
    const { username } = await newPerson();
    const { createUser } = await adapter();
    const user = await createUser({ id: "", email: `${username.toUpperCase()}@example.org`, emailVerified: null });
    const [row] = await query<{ username: string }>("SELECT username FROM users WHERE id = $1", [user.id]);
    expect(row?.username.toLowerCase()).toMatch(new RegExp(`^${username}-[0-9a-f]{6}$`));
  });

  it("keeps session tokens hashed and provider tokens not at all", async () => {
    const { id } = await newPerson();
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
});
