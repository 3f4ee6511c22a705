import { isLoopback } from "@/lib/env";
import { isHomeOf, placeOf } from "@/lib/wordpress/site-address";

/**
 * Why WordPress would not let an application in by its own page: the browser opens that, the user approves, and the browser
 * comes back with a new application password in the address
 * (https://make.wordpress.org/core/2020/11/05/application-passwords-integration-guide/).
 */
export type Refusal = "plain-http" | "no-endpoint";

export type AuthorizingSite = {
  home: string;
  /** Where the site may say that it is: its home, and where WordPress itself is. */
  places: string[];
  /** Where a user lets an application in; null where the site names no page, or one of another site. */
  authorization: string | null;
};

/** `home` as it was found; `said` is the index, if visitors may read it. */
export function authorizingSite(
  home: string,
  said: { home: string | null; url: string | null; authorization: string | null } | null,
): AuthorizingSite {
  const addresses = [home, said?.home, said?.url].filter((address) => typeof address === "string");
  const places = [...new Set(addresses.map(placeOf))];
  const authorization = said?.authorization ?? null;
  const isOwn = authorization !== null && places.some((place) => isHomeOf(authorization, place));
  return { home, places, authorization: isOwn ? authorization : null };
}

/** WordPress gives passwords out over https alone, unless it is a site on the user's own machine. */
export function refusalOf({ home, authorization }: AuthorizingSite, appUrl: string): Refusal | null {
  const site = new URL(home);
  const isPlain = [site, new URL(appUrl)].some(({ protocol }) => protocol === "http:");
  if (isPlain && !isLoopback(site)) return "plain-http";
  return authorization === null ? "no-endpoint" : null;
}

/** The page to approve at, which sends the browser back to `returnTo`. */
export function authorizeAddress(authorization: string, returnTo: string): string {
  const url = new URL(namedPage(authorization));
  url.searchParams.set("success_url", returnTo);
  const rejected = new URL(returnTo);
  rejected.searchParams.set("success", "false");
  url.searchParams.set("reject_url", rejected.href);
  return url.href;
}

/** Where a user makes a password to copy: the page to approve at, which shows it without a return address, or the profile. */
export function passwordsPage({ home, authorization }: AuthorizingSite): string {
  return authorization === null
    ? `${home}/wp-admin/profile.php#application-passwords-section`
    : namedPage(authorization);
}

function namedPage(authorization: string): string {
  const url = new URL(authorization);
  url.searchParams.set("app_name", "Content Planner");
  url.searchParams.set("app_id", APP_ID);
  return url.href;
}

/** WordPress keeps it with the password, so that a site can tell which are ours. */
const APP_ID = "78685688-8e93-460a-b2f1-da560c1f91b3";

/** Does the site that answered lead to the one that was asked? */
export function isExpectedSite(siteUrl: string, places: readonly string[]): boolean {
  return /^https?:/i.test(siteUrl) && URL.canParse(siteUrl) && places.includes(placeOf(siteUrl));
}
