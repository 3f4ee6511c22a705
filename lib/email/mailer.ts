import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import { env } from "@/lib/env";
import { log } from "@/lib/log";

export type Mail = { to: string; subject: string; text: string; html: string };

export type MailSettings = {
  /** The mail server; without it mails are written into `outbox` as .eml files. */
  smtpUrl?: string | undefined;
  /** The sender, such as `Content Planner <no-reply@planner.example>`. */
  from: string;
  outbox: string;
};

/** Can a mail reach a person? A deployment needs a mail server; on one's own machine the outbox will do. */
export const isMailOn = Boolean(env.SMTP_URL) || !env.deployed;

/** Sends one mail; throws when the mail server does not take it. */
export const sendMail = createMailer({
  smtpUrl: env.SMTP_URL,
  from: env.MAIL_FROM,
  // Nothing of this folder belongs into a build.
  outbox: path.join(/* turbopackIgnore: true */ process.cwd(), ".data/outbox"),
});

/** A mailer for one mail server, or for one outbox. */
export function createMailer({ smtpUrl, from, outbox }: MailSettings): (mail: Mail) => Promise<void> {
  return async function send(mail) {
    const message = messageOf(mail, from);
    if (smtpUrl) await createTransport({ url: smtpUrl, ...TIMEOUTS }).sendMail(message);
    else await writeToOutbox(message, outbox);
  };
}

/** A mail server that hangs holds its connection no longer than this. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

function messageOf({ to, subject, text, html }: Mail, from: string): SendMailOptions {
  return {
    from,
    // As an object the address is never taken for a list of them.
    to: { name: "", address: to },
    subject,
    text,
    html,
    // Nobody's out-of-office note comes back to a machine (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** For its owner alone: the file holds what a mail holds, links included. */
async function writeToOutbox(message: SendMailOptions, outbox: string): Promise<void> {
  const { message: content } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  const file = path.join(outbox, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  await writeFile(file, content as Buffer, { mode: 0o600 });
  log.info({ file }, "no SMTP_URL is set: the mail lies in the outbox");
}
