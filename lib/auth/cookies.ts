/**
 * All values of a cookie, in the header's order (RFC 6265, section 5.4): a browser that holds a name for two paths or
 * domains sends both. Nothing is decoded.
 */
export function cookieValues(header: string | null, name: string): string[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}
