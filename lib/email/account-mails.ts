import type { Mail } from "@/lib/email/mailer";

export function resetMail({ to, username, link }: { to: string; username: string; link: string }): Mail {
  return mailOf(to, "Reset your password", [
    `Hello ${username},`,
    "Somebody, probably you, asked to reset the password of your Content Planner account. To choose a new one, open this link:",
    { link, label: "Choose a new password" },
    "The link works once and for one hour. A newer link makes this one void.",
    "If you did not ask for it, you need not do anything: your password stays as it is.",
  ]);
}

type Change = {
  to: string;
  username: string;
  at: Date;
};

type PasswordChanged = Change & {
  by: "link" | "settings";
  /** The sign-in page, which offers a new link. */
  signIn: string;
  /** Other sign-in methods were disconnected. */
  disconnected?: boolean;
};

/** Alerts the owner, who may not have done it. */
export function passwordChangedMail({ to, username, at, by, signIn, disconnected }: PasswordChanged): Mail {
  const devices = by === "link" ? "Every device was signed out" : "Every other device was signed out";
  return mailOf(to, "Your password was changed", [
    `Hello ${username},`,
    `The password of your Content Planner account was changed on ${moment(at)}. ${devices}; sign in with the new password.`,
    ...(disconnected
      ? ["Other ways to sign in that were connected before you confirmed this address were disconnected."]
      : []),
    by === "link"
      ? "If this was not you, somebody can read your mail: secure your mailbox, then ask for a new link with “Forgot password?” here:"
      : "If this was not you, somebody was signed in as you: set another password with “Forgot password?” here, which signs out every device:",
    { link: signIn, label: "Go to the sign-in page" },
  ]);
}

type EmailChanged = Change & {
  became: "another" | "none";
  settings: string;
};

/** Goes to the old address and does not name the new one: this mailbox may be another user's. */
export function emailChangedMail({ to, username, at, became, settings }: EmailChanged): Mail {
  const what = became === "another" ? "changed to another one" : "removed";
  return mailOf(to, became === "another" ? "Your e-mail address was changed" : "Your e-mail address was removed", [
    `Hello ${username},`,
    `The e-mail address of your Content Planner account was ${what} on ${moment(at)}. This mailbox gets no more mails about the account, and no links to set a new password.`,
    "If this was not you, somebody was signed in as you: change your password in the settings, which signs out every other device, then put your address back:",
    { link: settings, label: "Go to the settings" },
    "If you cannot sign in any more, write to the people who run this Content Planner.",
  ]);
}

type GoogleChanged = Change & {
  became: "connected" | "disconnected";
  settings: string;
};

export function googleChangedMail({ to, username, at, became, settings }: GoogleChanged): Mail {
  const effect =
    became === "connected" ? "It can be used to sign in from now on." : "It cannot be used to sign in any more.";
  return mailOf(to, `Google was ${became}`, [
    `Hello ${username},`,
    `A Google account was ${became === "connected" ? "connected to" : "disconnected from"} your Content Planner account on ${moment(at)}. ${effect}`,
    "If this was not you, change your password in the settings, which signs out every other device, and look at the ways to sign in there:",
    { link: settings, label: "Go to the settings" },
  ]);
}

type MailPart = string | { link: string; label: string };

/** A mail with its text both plain and as HTML, which loads nothing. */
function mailOf(to: string, subject: string, parts: MailPart[]): Mail {
  const text = parts.map((part) => (typeof part === "string" ? part : part.link)).join("\n\n");
  return { to, subject, text: `${text}\n\nContent Planner\n`, html: htmlOf(subject, parts) };
}

function htmlOf(subject: string, parts: MailPart[]): string {
  const body = parts.map((part) => (typeof part === "string" ? `<p>${escaped(part)}</p>` : buttonOf(part))).join("\n");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;background:#fbf9f5;color:#1d1b18;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:520px;margin:0 auto">
${body}
<p style="margin-top:32px;color:#6b665e;font-size:14px">Content Planner</p>
</div>
</body>
</html>
`;
}

/** The URL is also written out, so that users see where it leads and can copy it. */
function buttonOf({ link, label }: { link: string; label: string }): string {
  const href = escaped(link);
  return `<p><a href="${href}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#0f5c5c;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>
<p style="color:#6b665e;font-size:14px;word-break:break-all">${href}</p>`;
}

function moment(at: Date): string {
  return `${at.toLocaleString("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })} UTC`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
