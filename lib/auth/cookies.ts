/** The name and value of each pair in a Cookie header, in its order (RFC 6265, section 5.4). Nothing is decoded. */
export function cookiePairs(header: string | null | undefined): [name: string, value: string][] {
  return (header ?? "").split(";").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : [];
  });
}

/** All values of a cookie: a browser that holds a name for two paths or domains sends both. */
export function cookieValues(header: string | null | undefined, name: string): string[] {
  return cookiePairs(header).flatMap(([each, value]) => (each === name ? [value] : []));
}
