/**
 * Every value that a Cookie header gives this name, in the header's order (RFC 6265, section 5.4): a browser that holds one
 * name for two paths or domains sends both. Names and values are taken as they stand.
 */
export function cookieValues(header: string | null, name: string): string[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}
