import "server-only";
import { inspect } from "node:util";
import type { z } from "zod";
import { env } from "@/lib/env";
import { SITES_REMEMBERED } from "@/lib/limits/bounds";
import { whileAway } from "@/lib/limits/place";
import { type SafeFetch, type SafeFetchOptions, type SafeResponse, safeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { boundedCache } from "@/lib/utils/bounded";
import { callerGone, quotesPasswordError } from "@/lib/wordpress/failures";
import { createPace, type Pace, type Turn } from "@/lib/wordpress/pace";
import { createSecret, type SiteSecret } from "@/lib/wordpress/secret";

/** Who asks a site, and with which login. */
export type SiteCaller = {
  /** Users take turns at a site. */
  userId: string;
  username: string;
  /** An application password, with or without spaces. */
  password: string;
  /** The request of ours that this is for. Ends reads and what waits, until a write was sent: half of a post helps nobody. */
  signal?: AbortSignal | undefined;
  /** Ends reads and what waits in any case. A write that was sent is always waited for. */
  deadline?: AbortSignal | undefined;
  fetch?: SafeFetch;
};

export type Exchange = {
  /**
   * Sends a request when its turn comes; only then `make` is called. The password is in no header and no address of the
   * response. Throws RATE_LIMITED when it ends unsent, CONNECTION_ERROR for an address that quotes the password, and
   * UnreachableError.
   */
  send(url: URL, turn: Pick<Turn, "kind" | "phase">, make: (turn: Turn) => SafeFetchOptions): Promise<SafeResponse>;
  /** An answer in its shape, without what quotes the password. */
  read<Shape extends z.ZodType>(shape: Shape, json: unknown): z.ZodSafeParseResult<z.output<Shape>>;
  secret: SiteSecret;
};

/** The way to a site and back: every request to one goes through here, and every answer comes through here. */
export function createExchange(caller: SiteCaller): Exchange {
  const { userId, signal, deadline, fetch = safeFetch } = caller;
  const secret = createSecret(caller.password);
  let hasWritten = false;
  return { send, read, secret };

  async function send(url: URL, { kind, phase }: Pick<Turn, "kind" | "phase">, make: (turn: Turn) => SafeFetchOptions) {
    const ends = endOf([deadline, hasWritten ? undefined : signal]);
    const turn: Turn = { userId, kind, phase, writes: 1, signal: ends };
    let isQuoted = false;
    const mayFollow = (to: URL) => {
      isQuoted ||= secret.isIn(to.href);
      return !isQuoted;
    };
    try {
      const send = () => {
        const options = make(turn);
        hasWritten ||= kind !== "read";
        return fetch(url, { ...options, mayFollow, ...(ends && kind === "read" ? { signal: ends } : {}) });
      };
      const response = await whileAway(() => paceOf(fetch, url.origin).run(turn, send));
      isQuoted ||= secret.isIn(response.url);
      if (isQuoted) throw quotesPasswordError();
      return { ...response, headers: unquoted(response.headers, secret) };
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      if (isQuoted) throw quotesPasswordError();
      if (ends?.aborted && kind === "read") throw callerGone();
      throw secret.isIn(inspect(error)) ? withoutWords(error, url) : error;
    }
  }

  function read<Shape extends z.ZodType>(shape: Shape, json: unknown): z.ZodSafeParseResult<z.output<Shape>> {
    const parsed = shape.safeParse(json);
    return parsed.success ? { ...parsed, data: secret.leftOutOf(parsed.data) } : parsed;
  }
}

function endOf(signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((each) => each !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

function unquoted(headers: Headers, secret: SiteSecret): Headers {
  return new Headers([...headers].filter(([, value]) => !secret.isIn(value)));
}

/** A site chooses the names it redirects to and those in its certificate. */
function withoutWords({ reason, sent }: UnreachableError, url: URL): UnreachableError {
  return new UnreachableError(reason, url.host, { sent });
}

/** A client's own fetch, as in tests, has paces of its own. */
const paces = new WeakMap<SafeFetch, Map<string, Pace>>();

/** The pace of a site, for all its clients. */
export function paceOf(fetch: SafeFetch, origin: string): Pace {
  const sites = paces.get(fetch) ?? rememberedSites();
  paces.set(fetch, sites);
  // A quarter of the time that a single write gets: a batch that is several times as slow as expected is still answered.
  const batchMs = 250 * env.WORDPRESS_WRITE_TIMEOUT_SECONDS;
  const pace = sites.get(origin) ?? createPace({ most: env.WORDPRESS_MAX_CONCURRENCY_PER_SITE, batchMs });
  sites.set(origin, pace);
  return pace;
}

function rememberedSites(): Map<string, Pace> {
  const reason = "A site that comes back after it was forgotten starts like a new one.";
  // Two paces of one site would send it twice as much at once.
  return boundedCache("sites", SITES_REMEMBERED, reason, (pace) => pace.isInUse());
}
