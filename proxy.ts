import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { allowedMethods } from "@/lib/transport/methods";
import { refusedPost } from "@/lib/transport/page-post";
import type { Failure } from "@/lib/transport/reply";

/** The session's cookie, on https and on http. Only whether there is one counts here. */
const SESSION_COOKIES = ["__Host-session", "session"];

/**
 * Security headers with the script nonce, a request id, and the quick way to /auth for a visitor without a session cookie.
 * Never the lock: every page, route and action asks who acts itself.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  if (FILES.has(pathname)) return isRead(request) ? NextResponse.next() : withHeaders(plain(notAllowed(READS)));
  const isApi = pathname === "/api" || pathname.startsWith("/api/");
  const refused = isApi || request.method !== "POST" ? undefined : await refusedPost(request);
  if (refused) return withHeaders(plain(refused));
  if (!isApi && needsSignIn(request)) return withHeaders(NextResponse.redirect(signInAddress(request)));

  const nonce = btoa(crypto.randomUUID());
  // Paths under /api too: one that does not exist, and the sign-in library's own, are answered with a page.
  const policy = contentSecurityPolicy(nonce);
  const requestId = (isApi && harmlessId(request)) || crypto.randomUUID();
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // Next puts the nonce of this header on its own scripts.
  headers.set("content-security-policy", policy);
  headers.set("x-path", pathname + search);
  headers.set("x-request-id", requestId);
  const methods = isApi && isText(pathname) ? allowedMethods(pathname) : undefined;
  const response = !isText(pathname)
    ? notFound(request, isApi, requestId)
    : methods && !methods.includes(request.method)
      ? failed(notAllowed(methods), requestId)
      : NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-request-id", requestId);
  if (isApi) response.headers.set("cache-control", "no-store");
  return withHeaders(response);
}

/** Next would answer a file that is asked for by another method with 500. */
const FILES = new Set(["/icon.svg", "/favicon.ico", "/manifest.webmanifest", "/robots.txt"]);
const READS = ["GET", "HEAD"];

function isRead({ method }: NextRequest): boolean {
  return READS.includes(method);
}

/** Every 405 says what is allowed (RFC 9110, 15.5.6). */
function notAllowed(methods: readonly string[]): Refusal {
  return { error: new AppError("METHOD_NOT_ALLOWED"), headers: { allow: methods.join(", ") } };
}

type Refusal = { error: AppError; headers?: Record<string, string> };

/** A page's refusal is read by a person, and by React, which shows plain text as the failure of a server action. */
function plain({ error, headers }: Refusal): NextResponse {
  const type = { "content-type": "text/plain; charset=utf-8" };
  return new NextResponse(error.message, { status: error.status, headers: { ...type, ...headers } });
}

function failed({ error: { message, type, status }, headers }: Refusal, requestId: string): NextResponse {
  const body = { error: message, type, requestId } satisfies Failure;
  return NextResponse.json(body, { status, ...(headers ? { headers } : {}) });
}

export const config = {
  matcher: ["/((?!_next/static/|_next/image$).*)"],
};

/** `/content/%ff` is not: Next would answer 500. */
function isText(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** What is at a path that is no text: nothing. A page says so at the same path, taken as it is written. */
function notFound(request: NextRequest, isApi: boolean, requestId: string): NextResponse {
  if (isApi) return failed({ error: new AppError("NOT_FOUND") }, requestId);
  const asWritten = new URL(request.url);
  asWritten.pathname = request.nextUrl.pathname.replaceAll("%", "%25");
  return NextResponse.redirect(asWritten);
}

/** A client of the API may name its requests, in what is harmless in a log (as lib/auth/actor.ts takes it). */
function harmlessId(request: NextRequest): string | undefined {
  const given = request.headers.get("x-request-id") ?? "";
  return /^[\w-]{1,64}$/.test(given) ? given : undefined;
}

/** A server action answers for itself: a redirect would lose its sentence. */
function needsSignIn(request: NextRequest): boolean {
  const { pathname } = request.nextUrl;
  if (!isRead(request)) return false;
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

const googleOrigin = env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET ? ` ${new URL(env.GOOGLE_ISSUER).origin}` : "";

const isHttps = env.APP_URL.startsWith("https:");

function contentSecurityPolicy(nonce: string): string {
  // React rebuilds server stacks with eval, in development only.
  const development = env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // Long texts are rendered in a worker (lib/client/preview.ts); without this line it would need the nonce.
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    // Without scripts the form that leaves for Google is redirected there, which browsers hold against this as well.
    `form-action 'self'${googleOrigin}`,
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
