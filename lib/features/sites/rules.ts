import { AppError } from "@/lib/errors";
import { trimEndMatching } from "@/lib/utils/text";
import { cleanAddress } from "@/lib/wordpress/site-address";

/** Sites that a user may have connected at once. */
export const MAX_SITES = 20;

export const NAME_MAX = 100;
export const URL_MAX = 2000;
export const USERNAME_MAX = 254;
export const PASSWORD_MAX = 400;

/** What to call a site: the user's name for it, else where it is, else what was typed. */
export function siteName({
  name,
  place,
  url,
}: {
  name: string | null;
  place: string | null;
  url: string | null;
}): string {
  return name ?? place ?? url?.replace(/^https?:\/\//, "") ?? "your WordPress site";
}

/** Does the site have all that its calls need? */
export function isConnected(site: { url: string | null; username: string | null; hasPassword: boolean }): boolean {
  return Boolean(site.url && site.username && site.hasPassword);
}

/** The site of a project: its own one, or for null the default one. Undefined while that is not known. */
export function siteOfProject<S extends { id: string; isDefault: boolean }>(
  sites: S[],
  siteId: string | null | undefined,
): S | undefined {
  if (siteId === undefined) return hasOtherSites(sites) ? undefined : sites[0];
  return sites.find(({ id, isDefault }) => (siteId === null ? isDefault : id === siteId));
}

/** Can the user choose between sites? If not, every project is on the default one. */
export function hasOtherSites(sites: { isDefault: boolean }[]): boolean {
  return sites.some(({ isDefault }) => !isDefault);
}

/** The host of an address; null where there is none. */
export function hostOf(address: string | null | undefined): string | null {
  return address && URL.canParse(address) ? new URL(address).host : null;
}

/** Adds a scheme; drops query and fragment. Throws VALIDATION_ERROR, of the field, for what is no address, or has credentials. */
export function normalizeSiteUrl(typed: string, field: "wordpressUrl" | "url" = "wordpressUrl"): string {
  const url = siteAddressOf(typed);
  if (!url) throw new AppError("VALIDATION_ERROR", { message: NO_ADDRESS, fields: { [field]: [NO_ADDRESS] } });
  return `${url.origin}${trimEndMatching(url.pathname, /\//)}`;
}

export const NO_ADDRESS = "Enter the address of your site, such as https://blog.example.com.";

/** The longest name that DNS knows (RFC 1035, 2.3.4). */
const HOST_MAX = 253;

/** An address as users type it; null if it is none, or has credentials. */
export function siteAddressOf(typed: string): URL | null {
  const address = cleanAddress(typed);
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(withScheme)) return null;
  const url = new URL(withScheme);
  const isHost = url.hostname !== "" && url.hostname.length <= HOST_MAX;
  return /^https?:$/.test(url.protocol) && !url.username && !url.password && isHost ? url : null;
}
