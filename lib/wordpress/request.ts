import "server-only";
import { env } from "@/lib/env";
import { type SafeFetch, type SafeResponse, safeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { apiUrl, type Query } from "@/lib/wordpress/api-url";
import { USER_AGENT } from "@/lib/wordpress/discover";
import {
  isRefusal,
  siteFailure,
  unreachableSiteError,
  WordPressError,
  WordPressWriteError,
} from "@/lib/wordpress/failures";
import { readJson } from "@/lib/wordpress/json";
import { createPace, isWorthRepeating, type Pace, type PacedRequest } from "@/lib/wordpress/pace";

export type WordPressLogin = {
  /** From `discoverSite`. */
  apiRoot: string;
  username: string;
  /** An application password, with or without spaces. */
  password: string;
  fetch?: SafeFetch;
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
  /** Without the login, as any visitor. */
  anonymous?: boolean;
  timeoutMs?: number;
  /** Makes it a POST of several writes, when its turn comes: `size` is how many the site takes well by then. */
  batch?: (size: number) => Batch;
  /** What a batch is for: creating posts is much faster than giving them their texts. */
  phase?: string;
};

type Batch = { body: Record<string, unknown>; writes: number };

export type SiteReply = { status: number; headers: Headers; json: unknown };

/**
 * Sends at most WORDPRESS_MAX_CONCURRENCY_PER_SITE requests to a site at once, over all its clients, fewer while it is
 * busy. A request that it turns away for a moment is sent again once.
 */
export function createRequester(login: WordPressLogin): (request: SiteRequest) => Promise<SiteReply> {
  const fetch = login.fetch ?? safeFetch;
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
  const pace = paceOf(fetch, new URL(login.apiRoot).origin);

  return async function request({ path, query, body, remove = false, anonymous = false, timeoutMs, batch, phase }) {
    const method = body || batch ? "POST" : remove ? "DELETE" : "GET";
    const isWrite = method !== "GET";
    const paced: PacedRequest = { kind: batch ? "batch" : isWrite ? "write" : "read", phase, writes: 1 };
    let sent = body;
    const send = () => {
      if (batch && !sent) {
        const made = batch(pace.batchSize());
        paced.writes = made.writes;
        sent = made.body;
      }
      return fetch(apiUrl(login.apiRoot, path, query), {
        method,
        headers: {
          Accept: "application/json",
          "User-Agent": USER_AGENT,
          ...(anonymous ? {} : { Authorization: authorization }),
          ...(sent ? { "Content-Type": "application/json" } : {}),
        },
        ...(sent ? { body: JSON.stringify(sent) } : {}),
        timeoutMs:
          login.timeoutMs ?? timeoutMs ?? (isWrite ? 1000 * env.WORDPRESS_WRITE_TIMEOUT_SECONDS : READ_TIMEOUT_MS),
        maxBytes: MAX_ANSWER_BYTES,
        // The root is known: a redirect would lose the login or turn a write into a read.
        redirects: 0,
      });
    };
    try {
      const first = await pace.run(paced, send);
      const response = isWorthRepeating(first) ? await pace.run(paced, send) : first;
      return checkedReply(response, readJson(response.text), isWrite, login.password);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      const failure = unreachableSiteError(error);
      throw isWrite && error.sent ? new WordPressWriteError("unknown", failure) : failure;
    }
  };
}

/** How many writes a batch to this site should hold now. */
export function batchSizeOf({ fetch = safeFetch, apiRoot }: WordPressLogin): () => number {
  return paceOf(fetch, new URL(apiRoot).origin).batchSize;
}

const READ_TIMEOUT_MS = 10_000;
/** WordPress escapes each non-ASCII character as six bytes, so long texts grow several times. */
const MAX_ANSWER_BYTES = 8_000_000;

const paces = new WeakMap<SafeFetch, Map<string, Pace>>();

function paceOf(fetch: SafeFetch, origin: string): Pace {
  const ofFetch = paces.get(fetch) ?? new Map<string, Pace>();
  paces.set(fetch, ofFetch);
  // A quarter of the time that a single write gets: a batch that is several times as slow as expected is still answered.
  const batchMs = 250 * env.WORDPRESS_WRITE_TIMEOUT_SECONDS;
  const pace = ofFetch.get(origin) ?? createPace({ most: env.WORDPRESS_MAX_CONCURRENCY_PER_SITE, batchMs });
  ofFetch.set(origin, pace);
  return pace;
}

/** Throws for anything but success with data. */
export function checkedReply(response: SafeResponse, json: unknown, isWrite: boolean, password: string): SiteReply {
  if (response.status >= 200 && response.status < 300 && json !== undefined) {
    return { status: response.status, headers: response.headers, json };
  }
  const failure = siteFailure(response, json, password);
  if (!isWrite) throw failure;
  throw new WordPressWriteError(isRefusal(response, json) ? "refused" : "unknown", failure);
}

/** For a response that lacks what was requested. After a write its outcome is unknown. */
export function unexpectedAnswer(isWrite: boolean): WordPressError {
  const failure = new WordPressError("WORDPRESS_REJECTED", {
    message: "Your WordPress site gave an answer that WordPress does not give. A plugin may change its REST API.",
  });
  return isWrite ? new WordPressWriteError("unknown", failure) : failure;
}
