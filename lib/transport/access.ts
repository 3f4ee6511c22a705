/** `monitor` is for load balancers and the like; a session, which would cost a query, is not looked for. */
export type RouteAccess = "user" | "anyone" | "monitor";

/** Does the route answer 401 to those who are not signed in? */
export function needsSession({ access = "user" }: { access?: RouteAccess | undefined }): boolean {
  return access === "user";
}
