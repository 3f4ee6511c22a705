import type { z } from "zod";
import { AppError, type AppErrorOptions, defaultMessage, type ErrorType } from "@/lib/errors";
import type { SafeResponse } from "@/lib/net/safe-fetch";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { plainSentence } from "@/lib/utils/plain-text";
import { pageFailure } from "@/lib/wordpress/page-failures";
import { waitOf } from "@/lib/wordpress/retry-after";
import { restError, termExists } from "@/lib/wordpress/schema";
import type { SiteSecret } from "@/lib/wordpress/secret";

/** The parts of WordPress' error that we keep: errors are logged, and a site can send anything. */
export type SiteAnswer = { status: number; code: string; termId?: number | undefined };

/** `answer` is set when WordPress itself refused, `siteStatus` when the site answered at all. */
export class WordPressError extends AppError {
  constructor(
    type: ErrorType,
    options: AppErrorOptions,
    readonly answer?: SiteAnswer,
    readonly siteStatus = answer?.status,
  ) {
    super(type, options);
  }
}

/** A write that was sent and failed: refused, or with an unknown outcome. */
export class WordPressWriteError extends WordPressError {
  constructor(
    readonly outcome: "refused" | "unknown",
    failure: WordPressError,
  ) {
    const { message, retryAfter, cause, details } = failure;
    super(failure.type, { message, retryAfter, cause, details }, failure.answer, failure.siteStatus);
  }
}

export function hasCode(error: unknown, ...codes: string[]): error is WordPressError & { answer: SiteAnswer } {
  return error instanceof WordPressError && error.answer !== undefined && codes.includes(error.answer.code);
}

/** CONNECTION_ERROR with its catalogue message; `detail` beside it says what to do. */
export function connectionError(
  detail: string,
  options: Pick<AppErrorOptions, "cause" | "retryAfter"> = {},
): WordPressError {
  return new WordPressError("CONNECTION_ERROR", { ...options, details: { detail } });
}

export function unreachableSiteError(error: UnreachableError): WordPressError {
  return connectionError(UNREACHABLE_DETAILS[error.reason](error.host), { cause: error });
}

const UNREACHABLE_DETAILS: Record<UnreachableReason, (host: string) => string> = {
  blocked: (host) => `${host} is a private address, which this server may not contact.`,
  dns: (host) => `There is no site named ${host}: check the spelling.`,
  timeout: (host) => `${host} took too long to answer: try again in a minute.`,
  refused: (host) => `${host} refused or dropped the connection: check that the site is running.`,
  tls: (host) => `The security certificate of ${host} is not valid: renew it, or ask the site's host to.`,
  "too-large": (host) => `${host} answered with more data than a WordPress site does.`,
  redirect: (host) => `${host} redirects in circles: enter the address that the browser shows in the end.`,
  protocol: (host) => `${host} is not the address of a web site: it should look like https://blog.example.com.`,
};

/** Who asked is gone, or the time is up, and nothing was sent: nobody reads this but a log. */
export function callerGone(): AppError {
  return new AppError("RATE_LIMITED", {
    message: "Your WordPress site was not asked in time. Nothing was sent: try again in a minute.",
  });
}

export function tooManyWaiting(): AppError {
  return new AppError("RATE_LIMITED", {
    message: "Too many of your calls wait for this WordPress site. Wait until they are done, then try again.",
    retryAfter: 60,
  });
}

/** An address that holds the password can be neither stored, shown nor looked up. */
export function quotesPasswordError(): WordPressError {
  return connectionError(
    "The site puts your application password into its addresses: delete that password in WordPress under Users, Profile, switch off the plugin that does this, then save a new one in Settings.",
  );
}

/** Was the answer larger than we read? */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof WordPressError && error.cause instanceof UnreachableError && error.cause.reason === "too-large"
  );
}

/** An unexpected response. `json` is its parsed body, if any; `secret` is never quoted from it. */
export function siteFailure(response: SafeResponse, json: unknown, secret: SiteSecret): WordPressError {
  const error = restError.safeParse(json);
  if (error.success) return restFailure(response, error.data, secret);
  const { type, message, retryAfter = secondsToWait(response) } = pageFailure(response);
  const options = type === "CONNECTION_ERROR" ? { retryAfter, details: { detail: message } } : { message };
  return new WordPressError(type, options, undefined, response.status);
}

/**
 * Did the site stay unchanged? Only WordPress itself can say so, or a server that did not read the request. An error may follow
 * a stored post, and so may a firewall's page or a redirect that takes the place of WordPress' answer.
 */
export function isRefusal(response: SafeResponse, json: unknown): boolean {
  const { status } = response;
  if (UNREAD.includes(status) || isMaintenance(response)) return true;
  return status >= 400 && status < 500 && status !== 408 && restError.safeParse(json).success;
}

/** Too large, and too many. */
const UNREAD = [413, 429];

/** Is it WordPress' own, in any language? A cache that WordPress did not answer in time sends a 503 too, with another wait. */
function isMaintenance({ status, headers, text }: SafeResponse): boolean {
  return status === 503 && (headers.get("retry-after")?.trim() === "600" || /maintenance/i.test(text));
}

type RestError = z.infer<typeof restError>;

function restFailure(response: SafeResponse, error: RestError, secret: SiteSecret): WordPressError {
  const { status } = response;
  const code = quotable(error.code, secret) || "unknown";
  const answer = { status, code, termId: termExists.safeParse(error.data).data?.term_id };
  const sentence = quotable(plainSentence(error.message), secret);
  if (status === 401)
    return new WordPressError("WORDPRESS_REJECTED", { message: loginHint(error.code, secret) }, answer);
  if (status === 403) {
    const known = FORBIDDEN_SENTENCES.get(error.code);
    const forbidden = defaultMessage("WORDPRESS_FORBIDDEN");
    const message = known ?? (sentence ? `${forbidden} The site says: ${sentence}` : forbidden);
    return new WordPressError("WORDPRESS_FORBIDDEN", { message }, answer);
  }
  if (error.code === "rest_post_invalid_id" && status === 404) return new WordPressError("REMOTE_GONE", {}, answer);
  if (error.code === "rest_no_route") return new WordPressError("WORDPRESS_REJECTED", { message: NO_ROUTE }, answer);
  const refused = status >= 500 ? SERVER_ERROR : defaultMessage("WORDPRESS_REJECTED");
  const message = sentence ? `${refused} The site says: ${sentence}` : refused;
  return new WordPressError("WORDPRESS_REJECTED", { message, retryAfter: secondsToWait(response) }, answer);
}

/** The wait is an hour at most. */
function secondsToWait(response: SafeResponse): number | undefined {
  const wait = waitOf(response, Date.now());
  return wait === null ? undefined : Math.min(Math.ceil(wait / 1_000), 3_600);
}

/** The site's own words, or nothing where they quote the password. */
function quotable(words: string, secret: SiteSecret): string {
  return secret.isIn(words) ? "" : words;
}

const NO_ROUTE =
  "Your WordPress site does not offer this part of its REST API. A plugin has switched it off: allow the REST API for posts, categories and users.";

const SERVER_ERROR = "Your WordPress site had an internal error. Check the post list there before you try again.";

const FORBIDDEN_SENTENCES = new Map([
  [
    "rest_cannot_create",
    "Your WordPress account is not allowed to create this. Use an account with the Author, Editor or Administrator role.",
  ],
  [
    "rest_cannot_publish",
    "Your WordPress account may write drafts but not publish them. Use an account with the Author, Editor or Administrator role.",
  ],
  [
    "rest_cannot_edit",
    "Your WordPress account may not change this post, because somebody else wrote it. Use an account with the Editor or Administrator role.",
  ],
]);

const MAKE_ONE = "Make one in WordPress under Users, Profile, Application Passwords, and save it in Settings.";

/** WordPress rarely says which part was wrong, so the message lists likely causes. */
function loginHint(code: string, secret: SiteSecret): string {
  if (code.startsWith("application_passwords_disabled")) return PASSWORDS_OFF;
  if (code === "invalid_username" || code === "invalid_email") {
    return "Your WordPress site knows no user by that name. Check the WordPress username in Settings.";
  }
  if (!secret.isApplicationPassword) {
    return `Your WordPress site did not accept the login: the saved password is not an application password (24 letters and digits). ${MAKE_ONE}`;
  }
  if (code === "incorrect_password") {
    return `Your WordPress site did not accept the application password. ${MAKE_ONE}`;
  }
  return (
    "Your WordPress site did not accept the login. Check the username and the application password in Settings; " +
    "if both are right, the site's server drops the Authorization header: ask its host to pass it on."
  );
}

/** WordPress allows application passwords over https only, or on sites marked as local. */
export const PASSWORDS_OFF =
  "Application passwords are switched off on your WordPress site. They need https and may be blocked by a security plugin: switch them on there, then make one under Users, Profile.";
