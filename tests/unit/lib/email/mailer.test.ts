import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import PostalMime from "postal-mime";
import { createMailer } from "@/lib/email/mailer";
import { log } from "@/lib/log";
import { type MailServer, startMailServer } from "@/tests/support/mail";

const FROM = "Content Planner <no-reply@planner.example>";
const MAIL = {
  to: "maren@example.com",
  subject: "A subject",
  text: "Secret words – ä 园艺",
  html: "<p>Secret words</p>",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "outbox-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("without a mail server", () => {
  it("saves the mail in a file that only its owner can read, and logs the name, not the content", async () => {
    const logged = jest.spyOn(log, "info");
    const outbox = path.join(folder, "data/outbox");
    await createMailer({ from: FROM, outbox })(MAIL);
    const [name = ""] = readdirSync(outbox);
    const file = path.join(outbox, name);
    expect(name).toMatch(/\.eml$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const mail = await PostalMime.parse(readFileSync(file));
    expect(mail).toMatchObject({
      from: { address: "no-reply@planner.example", name: "Content Planner" },
      to: [{ address: "maren@example.com" }],
      subject: "A subject",
      text: expect.stringContaining("Secret words – ä 园艺"),
      html: expect.stringContaining("<p>Secret words</p>"),
    });
    expect(JSON.stringify(logged.mock.calls)).toContain(name);
    expect(JSON.stringify(logged.mock.calls)).not.toContain("Secret");
  });
});

describe("with a mail server", () => {
  let server: MailServer;
  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(() => server.close());

  it("delivers the mail and keeps no file", async () => {
    await createMailer({ smtpUrl: server.url, from: FROM, outbox: folder })(MAIL);
    expect(await server.mailsTo("maren@example.com")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("lets no line break or list add headers or recipients", async () => {
    const send = createMailer({ smtpUrl: server.url, from: FROM, outbox: folder });
    await send({ ...MAIL, subject: "Hello\r\nBcc: eve@example.com\r\n\r\nbody" });
    const [mail] = await server.mailsTo("maren@example.com");
    expect(mail?.headers.map(({ key }) => key)).not.toContain("bcc");
    expect(mail?.text).toContain("Secret words");
    for (const to of ["maren@example.com, eve@example.com", "maren@example.com\r\nRCPT TO:<eve@example.com>"]) {
      await send({ ...MAIL, to }).catch(() => undefined);
    }
    expect(await server.mailsTo("eve@example.com")).toEqual([]);
  });

  it("throws when the server refuses or cannot be reached", async () => {
    server.refuse(true);
    await expect(createMailer({ smtpUrl: server.url, from: FROM, outbox: folder })(MAIL)).rejects.toThrow(/550/);
    const nowhere = createMailer({ smtpUrl: "smtp://127.0.0.1:9", from: FROM, outbox: folder });
    await expect(nowhere(MAIL)).rejects.toThrow(/ECONNREFUSED/);
  });
});
