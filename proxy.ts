import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/env";

/** The session's cookie, on https and on http. Only whether there is one counts here. */
const SESSION_COOKIES = ["__Host-session", "session"];

/**
 * Security headers with the script nonce, and the quick way to /auth for a visitor without a session cookie.
 * Never the lock: every page, route and action asks who acts itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const isApi = pathname === "/api" || pathname.startsWith("/api/");
  if (isApi) {
    const response = withHeaders(NextResponse.next());
    response.headers.set("cache-control", "no-store");
    return response;
  }
  if (needsSignIn(request)) return withHeaders(NextResponse.redirect(signInAddress(request)));

  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // Next puts the nonce of this header on its own scripts.
  headers.set("content-security-policy", policy);
  headers.set("x-path", pathname + search);
  const requestId = crypto.randomUUID();
  headers.set("x-request-id", requestId);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-request-id", requestId);
  return withHeaders(response);
}

export const config = {
  matcher: ["/((?!_next/static|_next/image|icon\\.svg|favicon\\.ico|manifest\\.webmanifest|robots\\.txt).*)"],
};

/** A server action answers for itself: a redirect would lose its sentence. */
function needsSignIn(request: NextRequest): boolean {
  const { pathname } = request.nextUrl;
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  if (pathname === "/auth" || pathname.startsWith("/auth/")) return false;
  return !SESSION_COOKIES.some((name) => request.cookies.has(name));
}

function signInAddress(request: NextRequest): URL {
  const { pathname, search } = request.nextUrl;
  const address = new URL("/auth", request.nextUrl);
  // `_rsc` marks a navigation inside the app; it is no part of where the person wanted to go.
  const wanted = new URLSearchParams(search);
  wanted.delete("_rsc");
  const next = wanted.size > 0 ? `${pathname}?${wanted}` : pathname;
  if (next !== "/") address.searchParams.set("next", next);
  return address;
}

const isHttps = env.APP_URL.startsWith("https:");

function contentSecurityPolicy(nonce: string): string {
  // React rebuilds server stacks with eval, in development only.
  const development = env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

function withHeaders(response: NextResponse): NextResponse {
  const { headers } = response;
  headers.set("x-content-type-options", "nosniff");
  headers.set("x-frame-options", "DENY");
  headers.set("referrer-policy", "strict-origin-when-cross-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()");
  if (isHttps) headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
  return response;
}
