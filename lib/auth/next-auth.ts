import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { cookies } from "next/headers";
import { NextRequest, NextResponse } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import type { SignInFailure } from "@/lib/auth/sign-in-failure";
import { env } from "@/lib/env";
import { whileAway } from "@/lib/limits/place";
import { log } from "@/lib/log";

export type NextAuthContext = { params: Promise<{ nextauth: string[] }> };
export type NextAuthAnswer = { response: Response; failure: SignInFailure | undefined };

/**
 * Calls next-auth and finds out what went wrong: its response has one code for many failures, only its log tells them
 * apart. The logger is global, so the call is found by its asynchronous context.
 */
export async function callNextAuth(
  request: NextRequest,
  context: NextAuthContext,
  options: NextAuthOptions,
): Promise<NextAuthAnswer> {
  const current: Call = {};
  const response: Response = await calls.run(current, () =>
    whileAway(() => NextAuth(request, context, { ...options, logger })),
  );
  return { response, failure: current.failure ?? failureFromResponse(response) };
}

/**
 * Google's sign-in URL for a server action; stores the OAuth state in cookies. The action itself has checked for
 * cross-site calls; next-auth's CSRF token is created and used here.
 */
export async function googleAuthorizationUrl(options: NextAuthOptions, next: string): Promise<URL | SignInFailure> {
  const { csrfToken } = (await (await call("GET", ["csrf"], options)).response.json()) as { csrfToken: string };
  const { response, failure } = await call("POST", ["signin", "google"], options, { csrfToken, callbackUrl: next });
  if (failure) return failure;
  const url = new URL(response.headers.get("location") ?? "/", env.APP_URL);
  // The URL leads back to us: next-auth rejected its own token, so this browser keeps no cookies.
  return url.origin === env.APP_URL ? "State" : url;
}

async function call(method: string, nextauth: string[], options: NextAuthOptions, form?: Record<string, string>) {
  const url = new URL(`/api/auth/${nextauth.join("/")}`, env.APP_URL);
  const request = new NextRequest(url, { method, ...(form ? { body: new URLSearchParams(form) } : {}) });
  const answer = await callNextAuth(request, { params: Promise.resolve({ nextauth }) }, options);
  const jar = await cookies();
  for (const cookie of new NextResponse(null, { headers: answer.response.headers }).cookies.getAll()) jar.set(cookie);
  return answer;
}

type Call = { failure?: SignInFailure };
const calls = new AsyncLocalStorage<Call>();

const logger: NextAuthOptions["logger"] = {
  error(code, metadata) {
    const current = calls.getStore();
    // Later errors follow from the first.
    if (current) current.failure ??= failureFromLog(code, metadata);
    // Never log the metadata whole: it holds tokens and profiles.
    log.warn({ err: readError(metadata), code }, "next-auth failed");
  },
  warn: (code) => log.debug({ code }, "next-auth warns"),
  debug: () => undefined,
};

/** https://next-auth.js.org/errors */
function failureFromLog(code: string, metadata: unknown): SignInFailure {
  const { message, code: kind } = readError(metadata);
  if (code === "SIGNIN_OAUTH_ERROR") return "Unreachable";
  // The provider's `error` (RFC 6749, 4.1.2.1) from the callback URL.
  if (code === "OAUTH_CALLBACK_HANDLER_ERROR" && !(metadata instanceof Error)) {
    return message === "access_denied" ? "Cancelled" : "Refused";
  }
  if (code !== "OAUTH_CALLBACK_ERROR") return "Failed";
  if (/\b(state|nonce|code_verifier|pkce)\b/i.test(message)) return "State";
  const isUnreachable = /^(E[A-Z]+|UND_ERR_.*)$/.test(kind) || /timed out|got: 5\d\d/.test(message);
  return isUnreachable ? "Unreachable" : "Refused";
}

function readError(metadata: unknown): { message: string; code: string } {
  const found = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;
  const { message = "", code = "" } = (found ?? {}) as { message?: unknown; code?: unknown };
  return { message: String(message), code: String(code) };
}

/** Some failures appear in the redirect only, never in the log. */
function failureFromResponse(response: Response): SignInFailure | undefined {
  const location = response.headers.get("location");
  if (!location) return undefined;
  const { pathname, searchParams } = new URL(location, env.APP_URL);
  if (!searchParams.has("error") || !/^\/(api\/auth\/(error|signin)|auth)$/.test(pathname)) return undefined;
  return searchParams.get("error") === "OAuthAccountNotLinked" ? "Exists" : "Failed";
}
