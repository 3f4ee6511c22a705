import { actorFromToken } from "@/lib/auth/actor";
import { acceptGoogleIdentity } from "@/lib/features/account/google/writes/link";
import { databaseUrl, holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPerson, newPiece, newWorkspace, PASSWORD, type Person } from "@/tests/support/factories";

/** What was checked must still hold when it is written: in each test another call writes in between. */
const lockOwnAccount = ({ id }: Person) => holdTransaction("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", [id]);

const waiting = (count: number) => waitForLock(databaseUrl(), count);

it("refuses to pair a site's address with the password saved meanwhile for another site", async () => {
  const person = await newPerson();
  const { caller, id } = person;
  const held = await lockOwnAccount(person);
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
  const person = await newPerson();
  const token = person.caller.cookie()?.split("=")[1];
  const context = { requestId: "google", address: "10.69.0.1" };
  const actor = (await actorFromToken(token, context))?.actor;
  const visit = { context, token, actor, intent: { purpose: "connect", userId: person.id } } as const;
  const held = await lockOwnAccount(person);
  const connect = (name: string) =>
    acceptGoogleIdentity({ subject: `${name}-${person.id}`, email: null, isEmailVerified: false }, visit);
  const answers = [connect("one"), connect("two")];
  await waiting(2);
  await held.releaseLock();
  expect((await Promise.all(answers)).map(String).sort()).toEqual(["ConnectedAlready", "undefined"]);
  const stored = await query("SELECT provider_account_id FROM accounts WHERE user_id = $1", [person.id]);
  expect(stored).toHaveLength(1);
});

it("records a change once when two calls make it at once", async () => {
  const person = await newPerson();
  const held = await lockOwnAccount(person);
  const change = () => person.caller.patch("/api/user", { email: `${person.id}@x.example`, currentPassword: PASSWORD });
  const answers = [change(), change()];
  await waiting(2);
  await held.releaseLock();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  const events = await query("SELECT 1 FROM audit_events WHERE user_id = $1 AND action = 'account.email_changed'", [
    person.id,
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
  async function personWithKey() {
    const person = await newPerson();
    await person.caller.patch("/api/user/settings", { openaiApiKey: "sk-never-asked" });
    const start = async () => (await person.caller.post<{ sessionId: string }>("/api/chat/start")).body.sessionId;
    return { ...person, start };
  }

  it("opens one when two tabs start it at once", async () => {
    const person = await personWithKey();
    const held = await lockOwnAccount(person);
    const [one, other] = [person.start(), person.start()];
    await waiting(2);
    await held.releaseLock();
    expect(await one).toBe(await other);
    expect(await query("SELECT id FROM chat_sessions WHERE user_id = $1", [person.id])).toHaveLength(1);
  });

  it("does not reuse a conversation that got a message meanwhile", async () => {
    const person = await personWithKey();
    const session = await person.start();
    const message = await holdTransaction(
      `WITH held AS (SELECT id FROM chat_sessions WHERE id = $1 FOR UPDATE)
       INSERT INTO chat_messages (session_id, position, role, content) SELECT id, 1, 'user', 'Hello' FROM held`,
      [session],
    );
    const started = person.start();
    await waiting(1);
    await message.releaseLock();
    expect(await started).not.toBe(session);
  });
});
