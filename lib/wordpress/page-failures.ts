import type { SafeResponse } from "@/lib/net/safe-fetch";

export type PageFailure = {
  type: "CONNECTION_ERROR" | "WORDPRESS_REJECTED";
  message: string;
  retryAfter?: number;
};

/** Explains a response that is not WordPress' JSON: a redirect, a firewall, maintenance, or another site. */
export function pageFailure(response: SafeResponse): PageFailure {
  const { status, headers, text, url } = response;
  const isMaintenance = status === 503 && (headers.has("retry-after") || /maintenance/i.test(text));
  const retryAfter = seconds(headers.get("retry-after"));
  const connection = (message: string): PageFailure => ({
    type: "CONNECTION_ERROR",
    message,
    retryAfter,
  });

  if (isMaintenance) return connection("The site is in maintenance mode: try again in a few minutes.");
  if (status === 413) {
    return { type: "WORDPRESS_REJECTED", message: TOO_LARGE };
  }
  if (status >= 300 && status < 400) {
    const target = headers.get("location");
    const where = target && URL.canParse(target, url) ? new URL(target, url).origin : "another address";
    return connection(`The site redirects to ${where}: enter the address that the browser shows for it in Settings.`);
  }
  const firewall = firewallOf(response);
  if (firewall) {
    return connection(
      `${firewall} blocked the request: allow this server, or the REST API for signed-in users, there.`,
    );
  }
  if (status === 401) {
    return connection("The whole site is behind its server's password: switch that off for its REST API.");
  }
  if (status === 429) return connection("The site limits how often it accepts requests: try again in a few minutes.");
  if (status >= 500) return connection(`The site had an internal error (${status}): try again in a minute.`);
  if (status === 403 || status === 406) {
    return connection("A security plugin or firewall of the site blocked the request: allow the REST API there.");
  }
  if (status === 404) {
    return connection(
      "There is no WordPress REST API at this address: enter the address of WordPress itself, with its folder.",
    );
  }
  return connection(
    "It answered with a web page where WordPress answers with data: enter the address of WordPress itself, and check that no plugin switches its REST API off.",
  );
}

const TOO_LARGE =
  "Your WordPress site refused this because it is too large. Shorten it, or raise the site's upload limit.";

function firewallOf({ status, headers, text }: SafeResponse): string | null {
  if (status < 400) return null;
  const beginning = text.slice(0, 20_000);
  if (/wordfence/i.test(beginning)) return "Wordfence";
  if (/sucuri/i.test(beginning) || headers.has("x-sucuri-id")) return "Sucuri";
  const isChallenge = /attention required|just a moment|cf-error|cf-chl|you have been blocked/i.test(beginning);
  if (status < 500 && (headers.has("cf-mitigated") || (headers.has("cf-ray") && isChallenge))) return "Cloudflare";
  return null;
}

/** Retry-After in seconds, an hour at most; ignores its rare date form. */
function seconds(value: string | null): number | undefined {
  return value && /^\d{1,6}$/.test(value.trim()) ? Math.min(Number(value), 3600) : undefined;
}
