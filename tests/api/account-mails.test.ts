import { randomUUID } from "node:crypto";
import { createCaller } from "@/tests/support/app";
import { eventually } from "@/tests/support/backend";
import { PASSWORD } from "@/tests/support/factories";
import { type MailServer, startMailServer } from "@/tests/support/mail";

const NEW_PASSWORD = "a wholly other long phrase";

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  // Before the first route is loaded, which reads the environment.
  process.env.SMTP_URL = mail.url;
});
afterAll(() => mail.close());

const newAddress = () => `m${randomUUID().slice(0, 12)}@example.com`;

async function newMailedUser(email: string | null = newAddress()) {
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

it("mails the user about a new password without quoting it", async () => {
  const { email, username, change } = await newMailedUser();
  await change({ password: NEW_PASSWORD });
  const [notice] = await mail.waitFor(email);
  expect(notice?.subject).toBe("Your password was changed");
  expect(notice?.text).toContain(`Hello ${username}`);
  expect(notice?.text).toContain("Every other device was signed out");
  expect(notice?.text).toContain("http://localhost:3000/auth");
  expect(notice?.html).not.toMatch(/<img|<script|url\(|<link/i);
  expect(`${notice?.text}${notice?.html}`).not.toContain(NEW_PASSWORD);
});

it("mails the old address about its replacement without naming the new one", async () => {
  const { email, change } = await newMailedUser();
  const next = newAddress();
  await change({ email: next });
  const [notice] = await mail.waitFor(email);
  expect(notice).toMatchObject({ subject: "Your e-mail address was changed", to: [{ address: email }] });
  expect(notice?.text).toContain("http://localhost:3000/settings");
  expect(`${notice?.text}${notice?.html}`).not.toContain(next);
  expect(await subjects(next)).toEqual([]);
});

it("mails an address that is removed", async () => {
  const { email, change } = await newMailedUser();
  await change({ email: "" });
  expect((await mail.waitFor(email))[0]?.subject).toBe("Your e-mail address was removed");
});

it("sends both mails to the old address when e-mail and password change at once, with the new username", async () => {
  const { email, username, change } = await newMailedUser();
  const next = newAddress();
  await change({ username: `${username}x`, email: next, password: NEW_PASSWORD });
  const notices = await mail.waitFor(email, 2);
  expect(notices.map(({ subject }) => subject).sort()).toEqual([
    "Your e-mail address was changed",
    "Your password was changed",
  ]);
  for (const { text } of notices) expect(text).toContain(`Hello ${username}x,`);
  expect(await subjects(next)).toEqual([]);
});

it("mails nobody about a first address, and mails that address about the next password", async () => {
  const { change } = await newMailedUser(null);
  const first = newAddress();
  await change({ email: first });
  await change({ password: NEW_PASSWORD });
  await mail.waitFor(first);
  expect(await subjects(first)).toEqual(["Your password was changed"]);
});

it("sends nothing for a new username, the same address again or a refused change", async () => {
  const { caller, email, username, change } = await newMailedUser();
  await change({ username: `${username}y` });
  await change({ email: email.toUpperCase() });
  expect((await caller.patch("/api/user", { email: newAddress(), currentPassword: "not it" })).status).toBe(400);
  // Any other mail would have been sent before this one.
  await change({ password: NEW_PASSWORD });
  await mail.waitFor(email);
  expect(await subjects(email)).toEqual(["Your password was changed"]);
});

it("makes the change even if the mail server refuses the mail, and logs that", async () => {
  const { caller, email, change } = await newMailedUser();
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

it("says that a taken address belongs to another account", async () => {
  const [one, other] = [await newMailedUser(), await newMailedUser()];
  const refused = await one.caller.patch("/api/user", { email: other.email, currentPassword: PASSWORD });
  expect(refused).toMatchObject({
    status: 409,
    body: { type: "DUPLICATE", fields: { email: ["Another account has this e-mail. Use a different one."] } },
  });
});
