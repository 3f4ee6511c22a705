/** Where to go after signing in: a path of this app, or "/" for anything that leads elsewhere. */
export function ownPath(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/";
  const base = "http://app.invalid";
  if (!URL.canParse(next, base)) return "/";
  const { origin, pathname, search, hash } = new URL(next, base);
  const isElsewhere = origin !== base || pathname.startsWith("//");
  const isNoPage = pathname === "/auth" || pathname.startsWith("/auth/") || pathname.startsWith("/api/");
  return isElsewhere || isNoPage ? "/" : pathname + search + hash;
}
