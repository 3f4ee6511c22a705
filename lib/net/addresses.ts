import ipaddr from "ipaddr.js";

/** Private hosts and networks that the operator allows. */
export type AllowedHosts = {
  hosts: ReadonlySet<string>;
  networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
};

/**
 * Public unicast addresses: yes. Private ones: only in an allowed network, or when `granted` (the host name is
 * allowed). Cloud metadata and link-local: never.
 */
export function isAllowedAddress(address: string, allowed: AllowedHosts, granted: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // unwraps ::ffff:a.b.c.d
  if (isForbidden(parsed)) return false;
  return granted || isInside(parsed, allowed.networks) || isPublic(parsed);
}

/**
 * Parses WORDPRESS_ALLOWED_HOSTS: `host`, `host:port` or CIDR, separated by commas. Throws an error that names a bad
 * entry.
 */
export function parseAllowedHosts(list: string): AllowedHosts {
  const hosts = new Set<string>();
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of list.split(",").map((part) => part.trim().toLowerCase())) {
    if (entry === "") continue;
    if (entry.includes("/")) networks.push(parseNetwork(entry));
    else hosts.add(canonicalHost(entry));
  }
  return { hosts, networks };
}

/** Is this URL's host listed, with or without its port? */
export function isListed(url: URL, allowed: AllowedHosts): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return allowed.hosts.has(url.hostname) || allowed.hosts.has(`${url.hostname}:${port}`);
}

/** Cloud metadata services outside the link-local range. */
const METADATA_ADDRESSES = new Set([
  "168.63.129.16", // Azure
  "100.100.100.200", // Alibaba
  "192.0.0.192", // Oracle
  "fd00:ec2::254", // AWS
  "fd20:ce::254", // Google
  "fd00:42::42", // Scaleway
]);

/** IPv6 ranges that embed an IPv4 address, which may be private. */
const EMBEDS_IPV4 = new Set(["rfc6145", "rfc6052", "6to4", "teredo"]);

/** The only public part of IPv6. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];
/** `::a.b.c.d`, which ipaddr.js takes for unicast. */
const COMPATIBLE_IPV6 = ipaddr.parseCIDR("::/96") as [ipaddr.IPv6, number];

function isForbidden(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === "linkLocal" || range === "multicast" || range === "broadcast" || range === "unspecified") return true;
  if (METADATA_ADDRESSES.has(address.toString())) return true;
  if (!(address instanceof ipaddr.IPv6)) return false;
  return EMBEDS_IPV4.has(range) || (range !== "loopback" && address.match(COMPATIBLE_IPV6));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, networks: AllowedHosts["networks"]): boolean {
  return networks.some(([network, bits]) => {
    if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
    return network instanceof ipaddr.IPv6 && address.match(network, bits);
  });
}

function parseNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (!ipaddr.isValidCIDR(entry)) throw badEntry(entry);
  return ipaddr.parseCIDR(entry);
}

/** Spells a host as a URL does: `::1` → `[::1]`, `LOCALHOST` → `localhost`. */
function canonicalHost(entry: string): string {
  if (ipaddr.IPv6.isValid(entry)) return canonicalHost(`[${entry}]`);
  const match = /^(?:\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/.exec(entry);
  const address = `http://${entry}`;
  if (!match || !URL.canParse(address)) throw badEntry(entry);
  const { hostname } = new URL(address);
  return match[1] ? `${hostname}:${match[1]}` : hostname;
}

function badEntry(entry: string): Error {
  return new Error(
    `WORDPRESS_ALLOWED_HOSTS must list hosts, host:port or networks such as 10.0.0.0/8; "${entry}" is not one.`,
  );
}
