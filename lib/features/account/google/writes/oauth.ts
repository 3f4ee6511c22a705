import "server-only";
import { cookies } from "next/headers";
import { NextRequest } from "next/server";
import { audit } from "@/lib/audit/audit";
import {
  type Actor,
  actorFromToken,
  currentRequestContext,
  optionalActor,
  type RequestContext,
  requestContextOf,
} from "@/lib/auth/actor";
import { type AccountCredentials, rememberDevice } from "@/lib/auth/device-cookie";
import { isGoogleEnabled } from "@/lib/auth/google";
import {
  expiredIntentCookie,
  INTENT_COOKIE,
  type Intent,
  intentCookieOptions,
  openIntent,
  sealIntent,
} from "@/lib/auth/google-intent";
import { callNextAuth, googleAuthorizationUrl, type NextAuthContext } from "@/lib/auth/next-auth";
import { safeNextPath } from "@/lib/auth/next-path";
import { authOptions, CALLBACK_COOKIE, type SignInHooks } from "@/lib/auth/options";
import { addressLimitSubject } from "@/lib/auth/password-attempts";
import { assertSameSessionCookie, sessionTokenFrom } from "@/lib/auth/sessions";
import { type SignInFailure, signInFailure } from "@/lib/auth/sign-in-failure";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { acceptGoogleIdentity, type OAuthVisit } from "@/lib/features/account/google/writes/link";
import type { ReauthenticationInput } from "@/lib/features/account/schema";
import { signInEvent } from "@/lib/features/account/sign-in/writes/sign-in";
import { reauthenticate } from "@/lib/features/account/writes";
import { consumeLimits, type LimitKey } from "@/lib/limits/rate-limits";
import { log } from "@/lib/log";
import { MAX_OPEN_BODY, readBytes } from "@/lib/transport/body";
import { deviceCookie } from "@/lib/transport/cookie";
import { failureBody, toAppError } from "@/lib/transport/reply";

/**
 * Handles next-auth's own paths. A failed sign-in redirects to the page it began on with the reason as `error`; other
 * failures answer like all our routes.
 */
export async function handleNextAuth(request: NextRequest, context: NextAuthContext): Promise<Response> {
  const [action = ""] = (await context.params).nextauth;
  // Anyone could write to our log there; our pages never do.
  if (action === "_log") return new Response(null, { status: 404 });
  try {
    return await serve(action, await withBody(request), context);
  } catch (error) {
    const { requestId } = requestContextOf(request.headers);
    const failed = toAppError(error, requestId);
    if (action !== "callback") return Response.json(failureBody(failed, requestId), { status: failed.status });
    const visit = await visitOf(request).catch(() => undefined);
    const location = failurePage(failureCode(failed), visit ?? {}, destinationOf(request));
    return new Response(null, { status: 302, headers: { location } });
  }
}

/** Reads the body within our bounds: next-auth would take any, and hold the request's place while it arrives. */
async function withBody(request: NextRequest): Promise<NextRequest> {
  if (request.method !== "POST") return request;
  const body = await readBytes(request, MAX_OPEN_BODY);
  return new NextRequest(request.url, { method: "POST", headers: request.headers, body });
}

async function serve(action: string, request: NextRequest, context: NextAuthContext): Promise<Response> {
  assertSameSessionCookie(request.headers, request.cookies.getAll());
  const visit = await visitOf(request);
  if (ASKS_GOOGLE.has(action)) await consumeLimits(await googleLimit(visit.context));
  let refusal: SignInFailure | undefined;
  let signedIn: string | undefined;
  const { response, failure } = await callNextAuth(
    request,
    context,
    authOptions({
      async admit(google) {
        refusal = await acceptGoogleIdentity(google, visit).catch((error: unknown): SignInFailure => {
          log.error({ err: error, requestId: visit.context.requestId }, "sign-in with Google failed");
          return "Failed";
        });
        return refusal === undefined;
      },
      async signedIn(user) {
        signedIn = user.id;
        await auditSignIn(user, visit);
      },
      replaced: action === "callback" && visit.intent?.purpose !== "connect" ? visit.token : undefined,
    }),
  );
  const reason = signedIn ? undefined : (refusal ?? failure);
  if (reason) response.headers.set("location", failurePage(reason, visit, destinationOf(request)));
  if (action === "callback") response.headers.append("set-cookie", expiredIntentCookie);
  const device = signedIn && (await deviceCookieOf(signedIn, visit));
  if (device) response.headers.append("set-cookie", deviceCookie(device));
  return response;
}

/** Never fails: the user is signed in and their old session has ended, so they need the new cookie. */
async function deviceCookieOf(id: string, { context }: OAuthVisit): Promise<string | undefined> {
  try {
    return await rememberDevice(context, await accountOf(id));
  } catch (error) {
    log.error({ err: error, requestId: context.requestId }, "could not remember the browser");
    return undefined;
  }
}

/** next-auth calls Google first for these. */
const ASKS_GOOGLE = new Set(["signin", "callback"]);

async function googleLimit(context: RequestContext): Promise<LimitKey> {
  return { name: "googleAddress", subject: await addressLimitSubject(context) };
}

function accountOf(id: string): Promise<AccountCredentials> {
  return prisma.user.findUniqueOrThrow({ where: { id, ...LIVE }, select: { id: true, password: true } });
}

async function visitOf(request: NextRequest): Promise<OAuthVisit> {
  const context = requestContextOf(request.headers);
  const token = sessionTokenFrom(request.headers);
  const found = await actorFromToken(token, context);
  return { context, token, actor: found?.actor, intent: await openIntent(request.cookies.get(INTENT_COOKIE)?.value) };
}

async function auditSignIn(
  { id, isNew }: { id: string; isNew: boolean },
  { context, intent }: OAuthVisit,
): Promise<void> {
  if (intent?.purpose === "connect") return;
  await audit(await signInEvent(id, context, isNew ? "account.registered" : "session.signed_in"));
}

/** Google's URL, or the sign-in page with the reason why not. */
export async function authorizeGoogle(next: string): Promise<string> {
  return startOAuth(next, undefined);
}

/** Google's URL for a user without a password who must prove their identity; it leads back to the settings. */
export async function reauthenticateWithGoogle(actor: Actor): Promise<string> {
  return startOAuth("/settings", { purpose: "again", userId: actor.userId });
}

/** Google's URL for a signed-in user who links Google. Throws VALIDATION_ERROR unless they prove their identity. */
export async function authorizeGoogleLink(
  actor: Actor,
  token: string | undefined,
  { currentPassword }: ReauthenticationInput,
): Promise<{ location: string }> {
  if (!isGoogleEnabled) throw new AppError("SERVICE_UNAVAILABLE", { message: signInFailure("Off") });
  await reauthenticate(actor, token, currentPassword, "currentPassword");
  return { location: await startOAuth("/settings?google=connected", { purpose: "connect", userId: actor.userId }) };
}

async function startOAuth(next: string, intent: Intent | undefined): Promise<string> {
  const actor = await optionalActor();
  const page = (failure: SignInFailure) => failurePage(failure, { intent, actor }, next);
  if (!isGoogleEnabled) return page("Off");
  const jar = await cookies();
  if (intent) jar.set(INTENT_COOKIE, await sealIntent(intent), intentCookieOptions);
  else jar.set(INTENT_COOKIE, "", { ...intentCookieOptions, maxAge: 0 });
  const found = await authorizationUrl(next).catch((error: unknown) => failureCode(error));
  return found instanceof URL ? found.href : page(found);
}

async function authorizationUrl(next: string): Promise<URL | SignInFailure> {
  await consumeLimits(await googleLimit(await currentRequestContext()));
  return googleAuthorizationUrl(authOptions(REJECT_ALL), next);
}

function failureCode(error: unknown): SignInFailure {
  if (error instanceof AppError && error.type === "RATE_LIMITED") return "TooOften";
  if (error instanceof AppError && error.type === "UNAUTHENTICATED") return "Cookies";
  log.error({ err: error }, "sign-in with Google could not begin");
  return "Failed";
}

/** Beginning a sign-in admits nobody. */
const REJECT_ALL: SignInHooks = { admit: async () => false, signedIn: async () => undefined };

/** The page that shows a failure: the settings for users who came from there, unless they are signed out by now. */
function failurePage(
  failure: SignInFailure,
  { intent, actor }: Partial<Pick<OAuthVisit, "intent" | "actor">>,
  asked: string,
): string {
  if (intent && actor) return `/settings?error=${failure}`;
  const next = intent ? "/settings" : asked;
  return next === "/" ? `/auth?error=${failure}` : `/auth?error=${failure}&next=${encodeURIComponent(next)}`;
}

/** The destination of a success; next-auth stores it as a full URL. */
function destinationOf(request: NextRequest): string {
  const kept = request.cookies.get(CALLBACK_COOKIE)?.value ?? "";
  return kept.startsWith(`${env.APP_URL}/`) ? safeNextPath(kept.slice(env.APP_URL.length)) : "/";
}
