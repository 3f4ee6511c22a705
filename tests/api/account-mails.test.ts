import { randomUUID } from "node:crypto";
import { createCaller } from "@/tests/support/app";
import { eventually } from "@/tests/support/backend";
import { PASSWORD } from "@/tests/support/factories";
import { type MailServer, startMailServer } from "@/tests/support/mail";

const NEW_PASSWORD = "a wholly other long phrase";

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  // Before the first route is loaded: it reads its environment then.
  process.env.SMTP_URL = mail.url;
});
afterAll(() => mail.close());

const newAddress = () => `m${randomUUID().slice(0, 12)}@example.com`;

async function newMailedPerson(email: string | null = newAddress()) {
  const caller = createCaller();
  const username = `m${randomUUID().slice(0, 12)}`;
  const answer = await caller.post("/api/register", { username, email, password: PASSWORD });
  expect(answer.status).toBe(201);
  const change = async (body: object) => {
    const { status } = await caller.patch("/api/user", { ...body, currentPassword: PASSWORD });
    expect(status).toBe(200);
  };
  return { caller, username, email: email ?? "", change };
}

const subjects = async (address: string) => (await mail.mailsTo(address)).map(({ subject }) => subject);

it("tells the person's address of a new password, and not which", async () => {
  const { email, username, change } = await newMailedPerson();
  await change({ password: NEW_PASSWORD });
  const [told] = await mail.waitFor(email);
  expect(told?.subject).toBe("Your password was changed");
  expect(told?.text).toContain(`Hello ${username}`);
  expect(told?.text).toContain("Every other device was signed out");
  expect(told?.text).toContain("http://localhost:3000/auth");
  expect(told?.html).not.toMatch(/<img|<script|url\(|<link/i);
  expect(`${told?.text}${told?.html}`).not.toContain(NEW_PASSWORD);
});

it("tells the old address that another took its place, and names the other nowhere", async () => {
  const { email, change } = await newMailedPerson();
  const next = newAddress();
  await change({ email: next });
  const [told] = await mail.waitFor(email);
  expect(told).toMatchObject({ subject: "Your e-mail address was changed", to: [{ address: email }] });
  expect(told?.text).toContain("http://localhost:3000/settings");
  expect(`${told?.text}${told?.html}`).not.toContain(next);
  expect(await subjects(next)).toEqual([]);
});

it("tells an address that is removed", async () => {
  const { email, change } = await newMailedPerson();
  await change({ email: "" });
  expect((await mail.waitFor(email))[0]?.subject).toBe("Your e-mail address was removed");
});

it("sends both to the old address when both change at once, under the username from now on", async () => {
  const { email, username, change } = await newMailedPerson();
  const next = newAddress();
  await change({ username: `${username}x`, email: next, password: NEW_PASSWORD });
  const told = await mail.waitFor(email, 2);
  expect(told.map(({ subject }) => subject).sort()).toEqual([
    "Your e-mail address was changed",
    "Your password was changed",
  ]);
  for (const { text } of told) expect(text).toContain(`Hello ${username}x,`);
  expect(await subjects(next)).toEqual([]);
});

it("has nobody to tell of a first address, and tells that one of the next password", async () => {
  const { change } = await newMailedPerson(null);
  const first = newAddress();
  await change({ email: first });
  await change({ password: NEW_PASSWORD });
  await mail.waitFor(first);
  expect(await subjects(first)).toEqual(["Your password was changed"]);
});

it("tells nothing of a username, of the same address again, or of what was refused", async () => {
  const { caller, email, username, change } = await newMailedPerson();
  await change({ username: `${username}y` });
  await change({ email: email.toUpperCase() });
  expect((await caller.patch("/api/user", { email: newAddress(), currentPassword: "not it" })).status).toBe(400);
  // Whatever else would have been sent was begun before this one.
  await change({ password: NEW_PASSWORD });
  await mail.waitFor(email);
  expect(await subjects(email)).toEqual(["Your password was changed"]);
});

it("changes all the same when the mail server refuses, and logs it", async () => {
  const { caller, email, change } = await newMailedPerson();
  const { log } = await import("@/lib/log");
  const logged = jest.spyOn(log, "error");
  mail.refuse(true);
  try {
    await change({ password: NEW_PASSWORD });
    await eventually(
      async () => logged.mock.calls,
      (calls) => calls.some(([facts]) => (facts as { what?: string }).what === "password changed mail"),
    );
  } finally {
    mail.refuse(false);
  }
  expect(await mail.mailsTo(email)).toEqual([]);
  expect((await caller.get("/api/user")).status).toBe(200);
});

it("says of a taken address that it is another account's", async () => {
  const [one, other] = [await newMailedPerson(), await newMailedPerson()];
  const refused = await one.caller.patch("/api/user", { email: other.email, currentPassword: PASSWORD });
  expect(refused).toMatchObject({
    status: 409,
    body: { type: "DUPLICATE", fields: { email: ["Another account has this e-mail. Use a different one."] } },
  });
});
