import type { Link } from "@/lib/features/content/seo/material";

/**
 * Links to pages, by whether they lead to the site's own host. One without a host does; `www.` makes no difference. A
 * fragment, a mail address and a telephone number lead to no page.
 */
export function linksByHost(links: Link[], site: string | null): { own: Link[]; others: Link[] } {
  const own: Link[] = [];
  const others: Link[] = [];
  for (const link of links) {
    const host = hostOf(link.address);
    if (host === null) continue;
    if (host === "" || (site !== null && host === plainHost(site))) own.push(link);
    else others.push(link);
  }
  return { own, others };
}

/** Null: it leads to no page. Empty: it stays on the site. */
function hostOf(address: string): string | null {
  if (address === "" || address.startsWith("#")) return null;
  try {
    const { protocol, host } = new URL(address, "https://own.invalid");
    if (protocol !== "https:" && protocol !== "http:") return null;
    return host === "own.invalid" ? "" : plainHost(host);
  } catch {
    return null;
  }
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^www\./, "");
}
