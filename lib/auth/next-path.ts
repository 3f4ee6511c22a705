/** A path of this app to return to after sign-in, or "/" for anything else. */
export function safeNextPath(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/";
  const base = "http://app.invalid";
  if (!URL.canParse(next, base)) return "/";
  const { origin, pathname, search, hash } = new URL(next, base);
  const isExternal = origin !== base || pathname.startsWith("//");
  const isNoPage = pathname === "/auth" || pathname.startsWith("/auth/") || pathname.startsWith("/api/");
  return isExternal || isNoPage ? "/" : pathname + search + hash;
}
