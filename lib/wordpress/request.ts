import "server-only";
import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { env } from "@/lib/env";
import { isAppError } from "@/lib/errors";
import { type SafeFetchOptions, type SafeResponse, safeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { apiUrl, type Query } from "@/lib/wordpress/api-url";
import { USER_AGENT } from "@/lib/wordpress/discover";
import { createExchange, type Exchange, paceOf, type SiteCaller } from "@/lib/wordpress/exchange";
import {
  isRefusal,
  siteFailure,
  unreachableSiteError,
  WordPressError,
  WordPressWriteError,
} from "@/lib/wordpress/failures";
import { readJson } from "@/lib/wordpress/json";
import { isWorthRepeating, type Turn } from "@/lib/wordpress/pace";

export type WordPressLogin = SiteCaller & {
  /** The REST root from `discoverSite`. */
  apiRoot: string;
  /** Per request; by default 10 s for a read and WORDPRESS_WRITE_TIMEOUT_SECONDS for a write, which runs plugins. */
  timeoutMs?: number;
  /** What the site's index said, where it was read already. */
  hasBatch?: boolean;
};

export type SiteRequest = {
  path: string;
  query?: Query;
  /** Sends a DELETE. */
  remove?: boolean;
  /** Makes it a POST. */
  body?: Record<string, unknown>;
  /** Sends it without the login, as any visitor. */
  anonymous?: boolean;
  timeoutMs?: number;
  /** Makes it a POST of several writes, when its turn comes: `size` is how many the site takes well by then. */
  batch?: (size: number) => Batch;
  /** What a batch is for: creating posts is much faster than giving them their texts. */
  phase?: string;
};

type Batch = { body: Record<string, unknown>; writes: number };

export type SiteReply = {
  status: number;
  headers: Headers;
  /** The data in this shape, without what quotes the password. */
  read<Shape extends z.ZodType>(shape: Shape): z.ZodSafeParseResult<z.output<Shape>>;
};

export type Requester = {
  (request: SiteRequest): Promise<SiteReply>;
  /** The answer to one write of a batch; throws as a request of its own does. */
  replyInBatch(status: number, json: unknown): SiteReply;
};

/**
 * Sends at most WORDPRESS_MAX_CONCURRENCY_PER_SITE requests to a site at once, over all its clients, by turns of users. A
 * request that it turns away for a moment is sent again once.
 */
export function createRequester(login: WordPressLogin): Requester {
  const site = createExchange(login);
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
  return Object.assign(request, {
    replyInBatch: (status: number, json: unknown) =>
      checkedReply({ status, headers: new Headers(), url: login.apiRoot, text: "" }, json, true, site),
  });

  async function request(asked: SiteRequest): Promise<SiteReply> {
    const { path, query, body, remove = false, anonymous = false, timeoutMs, batch, phase } = asked;
    const method = body || batch ? "POST" : remove ? "DELETE" : "GET";
    const isWrite = method !== "GET";
    const kind = batch ? "batch" : isWrite ? "write" : "read";
    let made: Batch | undefined;
    const make = (turn: Turn): SafeFetchOptions => {
      made ??= batch?.(paceFor(login).batchSize());
      turn.writes = made?.writes ?? 1;
      const sent = made?.body ?? body;
      return {
        method,
        headers: {
          Accept: "application/json",
          "User-Agent": USER_AGENT,
          ...(anonymous ? {} : { Authorization: authorization }),
          ...(isWrite ? {} : { "Cache-Control": "no-cache" }),
          ...(sent ? { "Content-Type": "application/json" } : {}),
        },
        ...(sent ? { body: JSON.stringify(sent) } : {}),
        timeoutMs:
          login.timeoutMs ?? timeoutMs ?? (isWrite ? 1000 * env.WORDPRESS_WRITE_TIMEOUT_SECONDS : READ_TIMEOUT_MS),
        maxBytes: MAX_ANSWER_BYTES,
        // The root is known: a redirect would lose the login or turn a write into a read.
        redirects: 0,
      };
    };
    const send = () =>
      site.send(apiUrl(login.apiRoot, path, { ...query, ...(isWrite ? {} : fresh()) }), { kind, phase }, make);
    try {
      const first = await send();
      const response = isWorthRepeating(first) ? await send().catch(firstIfUnsent(first)) : first;
      return checkedReply(response, readJson(response.text), isWrite, site);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      const failure = unreachableSiteError(error);
      throw isWrite && error.sent ? new WordPressWriteError("unknown", failure) : failure;
    }
  }
}

/** Makes a read's address one that no cache before the site has seen: what is read decides what is written. */
function fresh(): Query {
  return { cp: randomBytes(6).toString("hex") };
}

/** How many writes a batch to this site should hold now. */
export function batchSizeOf(login: WordPressLogin): () => number {
  return () => paceFor(login).batchSize();
}

function paceFor({ fetch = safeFetch, apiRoot }: WordPressLogin) {
  return paceOf(fetch, new URL(apiRoot).origin);
}

const READ_TIMEOUT_MS = 10_000;
/** WordPress escapes each non-ASCII character as six bytes, so long texts grow several times. */
const MAX_ANSWER_BYTES = 8_000_000;

/** The first one may have been carried out, whatever ended the wait for the second. */
function firstIfUnsent(first: SafeResponse): (error: unknown) => SafeResponse {
  return (error) => {
    if (!isAppError(error, "RATE_LIMITED")) throw error;
    return first;
  };
}

/** Throws for anything but success with data. */
function checkedReply(response: SafeResponse, json: unknown, isWrite: boolean, { read, secret }: Exchange): SiteReply {
  if (response.status >= 200 && response.status < 300 && json !== undefined) {
    return { status: response.status, headers: response.headers, read: (shape) => read(shape, json) };
  }
  const failure = siteFailure(response, json, secret);
  if (!isWrite) throw failure;
  throw new WordPressWriteError(isRefusal(response, json) ? "refused" : "unknown", failure);
}

/** The error for a response that lacks what was requested. After a write its outcome is unknown. */
export function unexpectedAnswer(isWrite: boolean): WordPressError {
  const failure = new WordPressError("WORDPRESS_REJECTED", {
    message: "Your WordPress site gave an answer that WordPress does not give. A plugin may change its REST API.",
  });
  return isWrite ? new WordPressWriteError("unknown", failure) : failure;
}
