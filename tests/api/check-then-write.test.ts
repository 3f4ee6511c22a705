import { actorFromToken } from "@/lib/auth/actor";
import { acceptGoogleIdentity } from "@/lib/features/account/google/writes/link";
import { databaseUrl, holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPiece, newUser, newWorkspace, PASSWORD, type User } from "@/tests/support/factories";

/** What was checked must still hold when it is written: in each test another call writes in between. */
const lockOwnAccount = ({ id }: User) => holdTransaction("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", [id]);

const waiting = (count: number) => waitForLock(databaseUrl(), count);

it("refuses to pair a site's address with the password saved meanwhile for another site", async () => {
  const user = await newUser();
  const { caller, id } = user;
  const held = await lockOwnAccount(user);
  const both = { wordpressUrl: "https://one.example", wordpressUsername: "jo", wordpressPassword: "of one.example" };
  const first = caller.patch("/api/user/settings", both);
  await waiting(1);
  const second = caller.patch("/api/user/settings", { wordpressUrl: "https://two.example" });
  await waiting(2);
  await held.releaseLock();
  expect((await first).status).toBe(200);
  expect(await second).toMatchObject({ status: 400, body: { fields: { wordpressPassword: [expect.any(String)] } } });
  const stored = await query("SELECT wordpress_url AS url FROM users WHERE id = $1", [id]);
  expect(stored).toEqual([{ url: "https://one.example" }]);
});

it("connects only one of two Google accounts connected at once", async () => {
  const user = await newUser();
  const token = user.caller.cookie()?.split("=")[1];
  const context = { requestId: "google", address: "10.69.0.1" };
  const actor = (await actorFromToken(token, context))?.actor;
  const visit = { context, token, actor, intent: { purpose: "connect", userId: user.id } } as const;
  const held = await lockOwnAccount(user);
  const connect = (name: string) =>
    acceptGoogleIdentity({ subject: `${name}-${user.id}`, email: null, isEmailVerified: false }, visit);
  const answers = [connect("one"), connect("two")];
  await waiting(2);
  await held.releaseLock();
  expect((await Promise.all(answers)).map(String).sort()).toEqual(["ConnectedAlready", "undefined"]);
  const stored = await query("SELECT provider_account_id FROM accounts WHERE user_id = $1", [user.id]);
  expect(stored).toHaveLength(1);
});

it("records a change once when two calls make it at once", async () => {
  const user = await newUser();
  const held = await lockOwnAccount(user);
  const change = () => user.caller.patch("/api/user", { email: `${user.id}@x.example`, currentPassword: PASSWORD });
  const answers = [change(), change()];
  await waiting(2);
  await held.releaseLock();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  const events = await query("SELECT 1 FROM audit_events WHERE user_id = $1 AND action = 'account.email_changed'", [
    user.id,
  ]);
  expect(events).toHaveLength(1);
});

it("refuses a new status for a piece that was published meanwhile, and saves nothing of the call", async () => {
  const workspace = await newWorkspace();
  const url = `/api/content/${await newPiece(workspace, workspace, { body: "As it was." })}`;
  const published = await holdTransaction("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [
    url.split("/").at(-1),
  ]);
  const answer = workspace.caller.patch(url, { status: "review", body: "Changed." });
  await waiting(1);
  await published.releaseLock();
  expect(await answer).toMatchObject({ status: 409, body: { type: "STATUS_LOCKED" } });
  expect((await workspace.caller.get(url)).body).toMatchObject({
    status: "wp_published",
    body: "As it was.",
    version: 1,
  });
});

describe("starting a conversation", () => {
  async function userWithKey() {
    const user = await newUser();
    await user.caller.patch("/api/user/settings", { openaiApiKey: "sk-never-asked" });
    const start = async () => (await user.caller.post<{ sessionId: string }>("/api/chat/start")).body.sessionId;
    return { ...user, start };
  }

  it("opens one when two tabs start it at once", async () => {
    const user = await userWithKey();
    const held = await lockOwnAccount(user);
    const [one, other] = [user.start(), user.start()];
    await waiting(2);
    await held.releaseLock();
    expect(await one).toBe(await other);
    expect(await query("SELECT id FROM chat_sessions WHERE user_id = $1", [user.id])).toHaveLength(1);
  });

  it("does not reuse a conversation that got a message meanwhile", async () => {
    const user = await userWithKey();
    const session = await user.start();
    const message = await holdTransaction(
      `WITH held AS (SELECT id FROM chat_sessions WHERE id = $1 FOR UPDATE)
       INSERT INTO chat_messages (session_id, position, role, content) SELECT id, 1, 'user', 'Hello' FROM held`,
      [session],
    );
    const started = user.start();
    await waiting(1);
    await message.releaseLock();
    expect(await started).not.toBe(session);
  });
});
