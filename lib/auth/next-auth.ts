import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { cookies } from "next/headers";
import { NextRequest, NextResponse } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { SignInFailure } from "@/lib/utils/sign-in-failure";

export type NextAuthContext = { params: Promise<{ nextauth: string[] }> };
export type NextAuthAnswer = { response: Response; failure: SignInFailure | undefined };

/**
 * One call of next-auth, and what went wrong in it: it answers one code for many failures, only its log tells them apart.
 * Its logger is one for the whole process, so that the call under way is found by its asynchronous context.
 */
export async function callNextAuth(
  request: NextRequest,
  context: NextAuthContext,
  options: NextAuthOptions,
): Promise<NextAuthAnswer> {
  const call: Call = {};
  const response: Response = await calls.run(call, () => NextAuth(request, context, { ...options, logger }));
  return { response, failure: call.failure ?? failureOfAnswer(response) };
}

/**
 * Where to send the browser to sign in with Google, for a server action: the state of the sign-in goes into its cookies.
 * The action's own check has refused other sites; next-auth's token is made and used up here.
 */
export async function addressOfGoogle(options: NextAuthOptions, next: string): Promise<URL | SignInFailure> {
  const { csrfToken } = (await (await ask("GET", ["csrf"], options)).response.json()) as { csrfToken: string };
  const { response, failure } = await ask("POST", ["signin", "google"], options, { csrfToken, callbackUrl: next });
  if (failure) return failure;
  const address = new URL(response.headers.get("location") ?? "/", env.APP_URL);
  // Back to us: next-auth did not accept its own token, so cookies do not hold in this browser.
  return address.origin === env.APP_URL ? "State" : address;
}

async function ask(method: string, nextauth: string[], options: NextAuthOptions, form?: Record<string, string>) {
  const address = new URL(`/api/auth/${nextauth.join("/")}`, env.APP_URL);
  const request = new NextRequest(address, { method, ...(form ? { body: new URLSearchParams(form) } : {}) });
  const answer = await callNextAuth(request, { params: Promise.resolve({ nextauth }) }, options);
  const jar = await cookies();
  for (const cookie of new NextResponse(null, { headers: answer.response.headers }).cookies.getAll()) jar.set(cookie);
  return answer;
}

type Call = { failure?: SignInFailure };
const calls = new AsyncLocalStorage<Call>();

const logger: NextAuthOptions["logger"] = {
  error(code, metadata) {
    const call = calls.getStore();
    // The first is the cause; what is told after it follows from it.
    if (call) call.failure ??= failureOfLog(code, metadata);
    // Never the metadata as they are: tokens and profiles lie beside the error.
    log.warn({ err: errorOf(metadata), code }, "next-auth failed");
  },
  warn: (code) => log.debug({ code }, "next-auth warns"),
  debug: () => undefined,
};

/** https://next-auth.js.org/errors */
function failureOfLog(code: string, metadata: unknown): SignInFailure {
  const { message, code: kind } = errorOf(metadata);
  if (code === "SIGNIN_OAUTH_ERROR") return "Unreachable";
  // The provider's own `error` (RFC 6749, 4.1.2.1), as it stands in the address it sent the browser back to.
  if (code === "OAUTH_CALLBACK_HANDLER_ERROR" && !(metadata instanceof Error)) {
    return message === "access_denied" ? "Cancelled" : "Refused";
  }
  if (code !== "OAUTH_CALLBACK_ERROR") return "Failed";
  if (/\b(state|nonce|code_verifier|pkce)\b/i.test(message)) return "State";
  const isAway = /^(E[A-Z]+|UND_ERR_.*)$/.test(kind) || /timed out|got: 5\d\d/.test(message);
  return isAway ? "Unreachable" : "Refused";
}

function errorOf(metadata: unknown): { message: string; code: string } {
  const found = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;
  const { message = "", code = "" } = (found ?? {}) as { message?: unknown; code?: unknown };
  return { message: String(message), code: String(code) };
}

/** What is told in the address alone, and by no line of the log. */
function failureOfAnswer(response: Response): SignInFailure | undefined {
  const location = response.headers.get("location");
  if (!location) return undefined;
  const { pathname, searchParams } = new URL(location, env.APP_URL);
  if (!searchParams.has("error") || !/^\/(api\/auth\/(error|signin)|auth)$/.test(pathname)) return undefined;
  return searchParams.get("error") === "OAuthAccountNotLinked" ? "Exists" : "Failed";
}
