import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import { env } from "@/lib/env";
import { whileAway } from "@/lib/limits/place";
import { log } from "@/lib/log";

export type Mail = { to: string; subject: string; text: string; html: string };

export type MailSettings = {
  /** Without it mails go to `outbox` as .eml files. */
  smtpUrl?: string | undefined;
  /** The sender, such as `Content Planner <no-reply@planner.example>`. */
  from: string;
  outbox: string;
};

/** A deployment needs a mail server; locally the outbox will do. */
export const isMailEnabled = Boolean(env.SMTP_URL) || !env.deployed;

/** Throws when the mail server rejects the mail. */
export const sendMail = createMailer({
  smtpUrl: env.SMTP_URL,
  from: env.MAIL_FROM,
  // This folder must stay out of the build.
  outbox: path.join(/* turbopackIgnore: true */ process.cwd(), ".data/outbox"),
});

export function createMailer({ smtpUrl, from, outbox }: MailSettings): (mail: Mail) => Promise<void> {
  return async function send(mail) {
    const message = messageOf(mail, from);
    if (smtpUrl) await whileAway(() => createTransport({ url: smtpUrl, ...TIMEOUTS }).sendMail(message));
    else await writeToOutbox(message, outbox);
  };
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

function messageOf({ to, subject, text, html }: Mail, from: string): SendMailOptions {
  return {
    from,
    // An object: a string could be parsed as a list of addresses.
    to: { name: "", address: to },
    subject,
    text,
    html,
    // Suppresses out-of-office replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Writes a file that only its owner can read: the mail holds links. */
async function writeToOutbox(message: SendMailOptions, outbox: string): Promise<void> {
  const { message: content } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  const file = path.join(outbox, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  await writeFile(file, content as Buffer, { mode: 0o600 });
  log.info({ file }, "SMTP_URL is not set: wrote the mail to the outbox");
}
