import "server-only";
import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import { env } from "@/lib/env";
import { type AllowedHosts, isAllowedAddress, isListed, parseAllowedHosts } from "@/lib/net/addresses";
import { BlockedAddressError, toUnreachableError, UnreachableError } from "@/lib/net/unreachable";
import { createDeadline } from "@/lib/utils/deadline";

export type SafeFetchOptions = {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string;
  /** The time-out of the whole call, body and redirects included; 10 s by default. */
  timeoutMs?: number;
  /** The limit of the decoded body; 2 MB by default. */
  maxBytes?: number;
  /** What becomes of a body beyond `maxBytes`; "error" by default. */
  overflow?: "error" | "truncate";
  /** How many redirects GET and HEAD follow, 3 by default. Writes return their 3xx. */
  redirects?: number;
  /** It is asked before a redirect is followed and the name in it looked up. */
  mayFollow?: (to: URL) => boolean;
  /** Ends the call, besides the time-out. */
  signal?: AbortSignal;
};

/** `url` is the one after redirects. */
export type SafeResponse = { status: number; headers: Headers; url: string; text: string };

export type SafeFetch = (url: string | URL, options?: SafeFetchOptions) => Promise<SafeResponse>;

/** Fetches a URL that a user typed; allows WORDPRESS_ALLOWED_HOSTS. Throws UnreachableError. */
export const safeFetch: SafeFetch = (url, options) => {
  fromEnv ??= createSafeFetch({ allowedHosts: env.WORDPRESS_ALLOWED_HOSTS });
  return fromEnv(url, options);
};

let fromEnv: SafeFetch | undefined;

/**
 * A fetch limited to public http and https addresses and `allowedHosts` (`host`, `host:port` or CIDR, separated by
 * commas). Addresses are checked on connect, so DNS cannot change between check and use. Tests replace `lookup`.
 */
export function createSafeFetch({ allowedHosts = "", lookup = dns.lookup as LookupFunction } = {}): SafeFetch {
  const allowed = parseAllowedHosts(allowedHosts);
  const agent = new Agent({ connect: guardedConnector(allowed, lookup) });

  return async function fetchSafely(address, options = {}) {
    const {
      method = "GET",
      body,
      timeoutMs = 10_000,
      maxBytes = 2_000_000,
      overflow = "error",
      redirects = 3,
    } = options;
    const { signal, clear } = createDeadline(timeoutMs, options.signal);
    let headers = options.headers ?? {};
    let url = parseAddress(address);
    try {
      for (let hop = 0; ; hop++) {
        const answer = await undiciFetch(url, { method, headers, body, signal, redirect: "manual", dispatcher: agent });
        const target =
          method === "GET" || method === "HEAD" ? redirectTarget(answer.status, answer.headers, url) : null;
        if (!target || redirects === 0) {
          const text = await readText(answer.body, maxBytes, overflow);
          return { status: answer.status, headers: new Headers([...answer.headers]), url: url.href, text };
        }
        await answer.body?.cancel();
        if (hop >= redirects || options.mayFollow?.(target) === false) throw new UnreachableError("redirect", url.host);
        if (target.origin !== url.origin) headers = withoutCredentials(headers);
        url = target;
      }
    } catch (error) {
      throw toUnreachableError(error, url.host);
    } finally {
      clear();
    }
  };
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Node calls `lookup` for names only, so literal addresses are checked here. */
function guardedConnector(allowed: AllowedHosts, lookup: LookupFunction): buildConnector.connector {
  const connectorFor = (granted: boolean) =>
    buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(lookup, allowed, granted) });
  const strict = connectorFor(false);
  const listed = connectorFor(true);

  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    const literal = isIP(host) > 0;
    const authority = literal && host.includes(":") ? `[${host}]` : host;
    const granted = isListed(new URL(`${options.protocol}//${authority}:${options.port}`), allowed);
    if (literal && !isAllowedAddress(host, allowed, granted)) return callback(new BlockedAddressError(host), null);
    return (granted ? listed : strict)(options, callback);
  };
}

/** Rejects a host if any of its addresses is forbidden: a client tries them all. */
function guardedLookup(lookup: LookupFunction, allowed: AllowedHosts, granted: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const blocked = addresses.find(({ address }) => !isAllowedAddress(address, allowed, granted));
      if (blocked) return callback(new BlockedAddressError(blocked.address), []);
      const [first] = addresses;
      if (options.all || !first) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function parseAddress(address: string | URL): URL {
  if (!URL.canParse(String(address))) throw new UnreachableError("protocol", String(address));
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new UnreachableError("protocol", url.host);
  // A username before the @ disguises the host and would be sent along.
  if (url.username || url.password) throw new UnreachableError("blocked", url.host);
  return url;
}

function redirectTarget(status: number, headers: { get(name: string): string | null }, from: URL): URL | null {
  const location = headers.get("location");
  if (![301, 302, 303, 307, 308].includes(status) || !location) return null;
  if (!URL.canParse(location, from)) throw new UnreachableError("redirect", from.host);
  return parseAddress(new URL(location, from));
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
}

async function readText(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  overflow: "error" | "truncate",
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    chunks.push(chunk);
    // Leaving the loop cancels the stream.
    if (size > maxBytes) break;
  }
  if (size > maxBytes && overflow === "error") throw new UnreachableError("too-large", "");
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes));
}
