import ipaddr from "ipaddr.js";

/** The operator's exceptions: private hosts and networks that a typed address may lead to. */
export type AllowedHosts = {
  hosts: ReadonlySet<string>;
  networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
};

/**
 * May a connection be made to this IP address? Public unicast addresses: yes. Private ones: only inside an allowed network,
 * or when `granted` (the host name itself is allowed). Cloud metadata and link-local addresses: never.
 */
export function isReachable(address: string, allowed: AllowedHosts, granted: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // unwraps ::ffff:a.b.c.d
  if (isForbidden(parsed)) return false;
  return granted || isInside(parsed, allowed.networks) || isPublic(parsed);
}

/** Parses WORDPRESS_ALLOWED_HOSTS: `host`, `host:port` or CIDR, separated by commas. Throws one sentence naming a bad entry. */
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

/** Is this URL's host, with or without its port, in the list by name? */
export function isListed(url: URL, allowed: AllowedHosts): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return allowed.hosts.has(url.hostname) || allowed.hosts.has(`${url.hostname}:${port}`);
}

/** Metadata services and their like outside the link-local ranges; link-local itself is forbidden as a range. */
const METADATA_ADDRESSES = new Set([
  "168.63.129.16", // Azure
  "100.100.100.200", // Alibaba
  "192.0.0.192", // Oracle
  "fd00:ec2::254", // AWS
  "fd20:ce::254", // Google
  "fd00:42::42", // Scaleway
]);

/** IPv6 forms that carry an IPv4 address inside: a private one could hide there. */
const CARRIERS = new Set(["rfc6145", "rfc6052", "6to4", "teredo"]);

/** The only part of IPv6 that is public; everything else is reserved, local or a carrier. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];
/** `::a.b.c.d`, the oldest carrier, which ipaddr.js takes for unicast. */
const COMPATIBLE_IPV6 = ipaddr.parseCIDR("::/96") as [ipaddr.IPv6, number];

function isForbidden(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === "linkLocal" || range === "multicast" || range === "broadcast" || range === "unspecified") return true;
  if (METADATA_ADDRESSES.has(address.toString())) return true;
  if (!(address instanceof ipaddr.IPv6)) return false;
  return CARRIERS.has(range) || (range !== "loopback" && address.match(COMPATIBLE_IPV6));
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

/** The spelling a URL would give the host, so that both sides compare equal: `::1` → `[::1]`, `LOCALHOST` → `localhost`. */
function canonicalHost(entry: string): string {
  if (ipaddr.IPv6.isValid(entry)) return canonicalHost(`[${entry}]`);
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/.exec(entry);
  const address = `http://${match?.[1]}`;
  if (!match || !URL.canParse(address)) throw badEntry(entry);
  const { hostname } = new URL(address);
  return match[2] ? `${hostname}:${match[2]}` : hostname;
}

function badEntry(entry: string): Error {
  return new Error(
    `WORDPRESS_ALLOWED_HOSTS must list hosts, host:port or networks such as 10.0.0.0/8; "${entry}" is none.`,
  );
}
