import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { checkPagePost } from "@/lib/transport/page-post";
import { allowedMethods, PUBLIC_FILES } from "@/lib/transport/paths";
import type { Failure } from "@/lib/transport/reply";
import { SECURITY_HEADERS } from "@/lib/transport/security-headers";
import { COOKIES, hostCookie } from "@/lib/utils/cookie-names";

/** The session cookies, which are checked for presence only. */
const SESSION_COOKIES = [hostCookie(COOKIES.session, true), COOKIES.session];

/**
 * Adds security headers with a script nonce and a request id, and sends visitors without a session cookie to /auth. It
 * is never the lock: every page, route and action checks the session itself.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  if (FILES.has(pathname)) return isRead(request) ? NextResponse.next() : withHeaders(plain(notAllowed(READS)));
  const isApi = pathname === "/api" || pathname.startsWith("/api/");
  const rejected = isApi || request.method !== "POST" ? undefined : await checkPagePost(request);
  if (rejected) return withHeaders(plain(rejected));
  if (!isApi && needsSignIn(request)) return withHeaders(NextResponse.redirect(signInUrl(request)));

  const nonce = btoa(crypto.randomUUID());
  // API paths get it too: Next answers unknown paths there, and next-auth its own, with a page.
  const policy = contentSecurityPolicy(nonce);
  const requestId = (isApi && clientRequestId(request)) || crypto.randomUUID();
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // Next puts the nonce of this header on its own scripts.
  headers.set("content-security-policy", policy);
  headers.set("x-path", pathname + search);
  headers.set("x-request-id", requestId);
  const methods = isApi && isDecodable(pathname) ? allowedMethods(pathname) : undefined;
  const response = !isDecodable(pathname)
    ? notFound(request, isApi, requestId)
    : methods && !methods.includes(request.method)
      ? failed(notAllowed(methods), requestId)
      : NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-request-id", requestId);
  if (isApi) response.headers.set("cache-control", "no-store");
  withHeaders(response);
  // Next takes these before the route's own, and WordPress puts a password into this address.
  if (pathname.startsWith("/api/wordpress/connected/")) response.headers.set("referrer-policy", "no-referrer");
  return response;
}

/** Next answers these files with 500 for any method but GET and HEAD. */
const FILES = new Set(PUBLIC_FILES);
const READS = ["GET", "HEAD"];

function isRead({ method }: NextRequest): boolean {
  return READS.includes(method);
}

/** A 405 must list the allowed methods (RFC 9110, 15.5.6). */
function notAllowed(methods: readonly string[]): Refusal {
  return { error: new AppError("METHOD_NOT_ALLOWED"), headers: { allow: methods.join(", ") } };
}

type Refusal = { error: AppError; headers?: Record<string, string> };

/** Plain text: users read it, and React shows it as the failure of a server action. */
function plain({ error, headers }: Refusal): NextResponse {
  const type = { "content-type": "text/plain; charset=utf-8" };
  return new NextResponse(error.message, { status: error.status, headers: { ...type, ...headers } });
}

function failed({ error: { message, type, status }, headers }: Refusal, requestId: string): NextResponse {
  const body = { error: message, type, requestId } satisfies Failure;
  return NextResponse.json(body, { status, ...(headers ? { headers } : {}) });
}

export const config = {
  // Next copies bodies into memory before it runs the proxy, and the engine's are to be refused unread.
  matcher: ["/((?!_next/static/|_next/image$|api/inngest$).*)"],
};

/** `/content/%ff` does not decode: Next would answer 500. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** A page shows its 404 at the same path, escaped so that it decodes. */
function notFound(request: NextRequest, isApi: boolean, requestId: string): NextResponse {
  if (isApi) return failed({ error: new AppError("NOT_FOUND") }, requestId);
  const escaped = new URL(request.url);
  escaped.pathname = request.nextUrl.pathname.replaceAll("%", "%25");
  return NextResponse.redirect(escaped);
}

/** API clients may choose their request id, as long as it is safe in a log (see lib/auth/actor.ts). */
function clientRequestId(request: NextRequest): string | undefined {
  const given = request.headers.get("x-request-id") ?? "";
  return /^[\w-]{1,64}$/.test(given) ? given : undefined;
}

/** Reads alone are redirected: a redirected server action would lose its error message. */
function needsSignIn(request: NextRequest): boolean {
  const { pathname } = request.nextUrl;
  if (!isRead(request)) return false;
  if (pathname === "/auth" || pathname.startsWith("/auth/")) return false;
  return !SESSION_COOKIES.some((name) => request.cookies.has(name));
}

function signInUrl(request: NextRequest): URL {
  const { pathname, search } = request.nextUrl;
  const url = new URL("/auth", request.nextUrl);
  // `_rsc` marks a navigation inside the app and is not part of the destination.
  const wanted = new URLSearchParams(search);
  wanted.delete("_rsc");
  const next = wanted.size > 0 ? `${pathname}?${wanted}` : pathname;
  if (next !== "/") url.searchParams.set("next", next);
  return url;
}

const googleOrigin = env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET ? ` ${new URL(env.GOOGLE_ISSUER).origin}` : "";

const isHttps = env.APP_URL.startsWith("https:");

function contentSecurityPolicy(nonce: string): string {
  // React rebuilds server stack traces with eval, in development only.
  const development = env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // Long texts render in a worker (lib/client/preview.ts), which would otherwise need the nonce.
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    // Without JavaScript the sign-in form is redirected to Google, and browsers apply form-action to that too.
    `form-action 'self'${googleOrigin}`,
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

function withHeaders(response: NextResponse): NextResponse {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  return response;
}
