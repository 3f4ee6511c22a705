import { actorOfToken } from "@/lib/auth/actor";
import { admitGoogle } from "@/lib/features/account/writes/google";
import { databaseUrl, hold, query, waitingForLock } from "@/tests/support/db";
import { newDesk, newPerson, newPiece, PASSWORD, type Person } from "@/tests/support/factories";

/** What is checked is still so when it is written: each call here has looked, or waits to look, while another one writes. */
const holdAccount = ({ id }: Person) => hold("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", [id]);

const waiting = (count: number) => waitingForLock(databaseUrl(), count);

it("sends no site the password that was typed for another, which was saved meanwhile", async () => {
  const person = await newPerson();
  const { caller, id } = person;
  const held = await holdAccount(person);
  const both = { wordpressUrl: "https://one.example", wordpressUsername: "jo", wordpressPassword: "of one.example" };
  const first = caller.patch("/api/user/settings", both);
  await waiting(1);
  const second = caller.patch("/api/user/settings", { wordpressUrl: "https://two.example" });
  await waiting(2);
  await held.letGo();
  expect((await first).status).toBe(200);
  expect(await second).toMatchObject({ status: 400, body: { fields: { wordpressPassword: [expect.any(String)] } } });
  const stored = await query("SELECT wordpress_url AS url FROM users WHERE id = $1", [id]);
  expect(stored).toEqual([{ url: "https://one.example" }]);
});

it("connects one Google account where two are connected at once", async () => {
  const person = await newPerson();
  const token = person.caller.cookie()?.split("=")[1];
  const origin = { requestId: "google", address: "10.69.0.1" };
  const actor = (await actorOfToken(token, origin))?.actor;
  const visit = { origin, token, actor, intent: { purpose: "connect", userId: person.id } } as const;
  const held = await holdAccount(person);
  const connect = (name: string) =>
    admitGoogle({ subject: `${name}-${person.id}`, email: null, isEmailVerified: false }, visit);
  const answers = [connect("one"), connect("two")];
  await waiting(2);
  await held.letGo();
  expect((await Promise.all(answers)).map(String).sort()).toEqual(["ConnectedAlready", "undefined"]);
  const stored = await query("SELECT provider_account_id FROM accounts WHERE user_id = $1", [person.id]);
  expect(stored).toHaveLength(1);
});

it("tells the trail once of a change that two calls ask for at once", async () => {
  const person = await newPerson();
  const held = await holdAccount(person);
  const change = () => person.caller.patch("/api/user", { email: `${person.id}@x.example`, currentPassword: PASSWORD });
  const answers = [change(), change()];
  await waiting(2);
  await held.letGo();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  const told = await query("SELECT 1 FROM audit_events WHERE user_id = $1 AND action = 'account.email_changed'", [
    person.id,
  ]);
  expect(told).toHaveLength(1);
});

it("refuses another status for a piece that was published meanwhile, and saves nothing of the call", async () => {
  const desk = await newDesk();
  const url = `/api/content/${await newPiece(desk, desk, { body: "As it was." })}`;
  const published = await hold(
    "UPDATE content_pieces SET status = 'wp_published', wp_site = 'https://x.example/wp-json' WHERE id = $1",
    [url.split("/").at(-1)],
  );
  const answer = desk.caller.patch(url, { status: "review", body: "Changed." });
  await waiting(1);
  await published.letGo();
  expect(await answer).toMatchObject({ status: 409, body: { type: "STATUS_LOCKED" } });
  expect((await desk.caller.get(url)).body).toMatchObject({ status: "wp_published", body: "As it was.", version: 1 });
});

describe("starting a conversation", () => {
  async function personWithKey() {
    const person = await newPerson();
    await person.caller.patch("/api/user/settings", { openaiApiKey: "sk-never-asked" });
    const start = async () => (await person.caller.post<{ sessionId: string }>("/api/chat/start")).body.sessionId;
    return { ...person, start };
  }

  it("opens one where two tabs do it at once", async () => {
    const person = await personWithKey();
    const held = await holdAccount(person);
    const [one, other] = [person.start(), person.start()];
    await waiting(2);
    await held.letGo();
    expect(await one).toBe(await other);
    expect(await query("SELECT id FROM chat_sessions WHERE user_id = $1", [person.id])).toHaveLength(1);
  });

  it("takes no conversation in which something was said meanwhile", async () => {
    const person = await personWithKey();
    const said = await person.start();
    const message = await hold(
      `WITH held AS (SELECT id FROM chat_sessions WHERE id = $1 FOR UPDATE)
       INSERT INTO chat_messages (session_id, position, role, content) SELECT id, 1, 'user', 'Hello' FROM held`,
      [said],
    );
    const started = person.start();
    await waiting(1);
    await message.letGo();
    expect(await started).not.toBe(said);
  });
});
