import "server-only";
import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import { audit } from "@/lib/audit/audit";
import { type Actor, actorOfToken, type Origin, optionalActor, originOf, requestOrigin } from "@/lib/auth/actor";
import { type KnownAccount, rememberDevice } from "@/lib/auth/device-cookie";
import { isGoogleOn } from "@/lib/auth/google";
import { addressOrAccount } from "@/lib/auth/guesses";
import {
  endedIntentCookie,
  INTENT_COOKIE,
  type Intent,
  intentCookieOptions,
  openIntent,
  sealIntent,
} from "@/lib/auth/intent";
import { addressOfGoogle, callNextAuth, type NextAuthContext } from "@/lib/auth/next-auth";
import { authOptions, CALLBACK_COOKIE, type SignInHooks } from "@/lib/auth/options";
import { refuseOtherReading, sessionTokenOf } from "@/lib/auth/sessions";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { ProofInput } from "@/lib/features/account/schema";
import { proveIdentity } from "@/lib/features/account/writes/account";
import { admitGoogle, type Visit } from "@/lib/features/account/writes/google";
import { signInEvent } from "@/lib/features/account/writes/sign-in";
import { countHits, type Hit } from "@/lib/limits/limits";
import { log } from "@/lib/log";
import { deviceCookie } from "@/lib/transport/cookie";
import { failureOf, toAppError } from "@/lib/transport/reply";
import { ownPath } from "@/lib/utils/own-path";
import { type SignInFailure, signInFailure } from "@/lib/utils/sign-in-failure";

/**
 * A path of next-auth's own. A sign-in that fails leads to the page it began on, with the reason as `error`; other calls that
 * cannot be served answer as all of ours do.
 */
export async function serveNextAuth(request: NextRequest, context: NextAuthContext): Promise<Response> {
  const [action = ""] = (await context.params).nextauth;
  // Anybody could write lines into the log there; our pages never do.
  if (action === "_log") return new Response(null, { status: 404 });
  try {
    return await serve(action, request, context);
  } catch (error) {
    const { requestId } = originOf(request.headers);
    const failed = toAppError(error, requestId);
    if (action !== "callback") return Response.json(failureOf(failed, requestId), { status: failed.status });
    const visit = await visitOf(request).catch(() => undefined);
    const location = pageOf(kindOf(failed), visit ?? {}, nextOf(request));
    return new Response(null, { status: 302, headers: { location } });
  }
}

async function serve(action: string, request: NextRequest, context: NextAuthContext): Promise<Response> {
  refuseOtherReading(request.headers, request.cookies.getAll());
  const visit = await visitOf(request);
  if (ASKS_GOOGLE.has(action)) await countHits(await googleHit(visit.origin));
  let refusal: SignInFailure | undefined;
  let signedIn: string | undefined;
  const { response, failure } = await callNextAuth(
    request,
    context,
    authOptions({
      async admit(google) {
        refusal = await admitGoogle(google, visit).catch((error: unknown): SignInFailure => {
          log.error({ err: error, requestId: visit.origin.requestId }, "sign-in with Google failed");
          return "Failed";
        });
        return refusal === undefined;
      },
      async signedIn(user) {
        signedIn = user.id;
        await noteSignIn(user, visit);
      },
      replaced: action === "callback" && visit.intent?.purpose !== "connect" ? visit.token : undefined,
    }),
  );
  const reason = signedIn ? undefined : (refusal ?? failure);
  if (reason) response.headers.set("location", pageOf(reason, visit, nextOf(request)));
  if (action === "callback") response.headers.append("set-cookie", endedIntentCookie);
  const device = signedIn && (await knownDevice(signedIn, visit));
  if (device) response.headers.append("set-cookie", deviceCookie(device));
  return response;
}

/** The person is signed in, and the session they had has ended: without its cookie they would have none. */
async function knownDevice(id: string, { origin }: Visit): Promise<string | undefined> {
  try {
    return await rememberDevice(origin, await accountOf(id));
  } catch (error) {
    log.error({ err: error, requestId: origin.requestId }, "the browser was not made known to the account");
    return undefined;
  }
}

/** For these next-auth calls Google before it looks at anything else. */
const ASKS_GOOGLE = new Set(["signin", "callback"]);

async function googleHit(origin: Origin): Promise<Hit> {
  return { name: "googleAddress", subject: await addressOrAccount(origin) };
}

function accountOf(id: string): Promise<KnownAccount> {
  return prisma.user.findUniqueOrThrow({ where: { id }, select: { id: true, password: true } });
}

async function visitOf(request: NextRequest): Promise<Visit> {
  const origin = originOf(request.headers);
  const token = sessionTokenOf(request.headers);
  const found = await actorOfToken(token, origin);
  return { origin, token, actor: found?.actor, intent: await openIntent(request.cookies.get(INTENT_COOKIE)?.value) };
}

async function noteSignIn({ id, isNew }: { id: string; isNew: boolean }, { origin, intent }: Visit): Promise<void> {
  if (intent?.purpose === "connect") return;
  await audit(await signInEvent(id, origin, isNew ? "account.registered" : "session.signed_in"));
}

/** Where a sign-in with Google begins: Google's address, or the sign-in page with the reason why it cannot begin. */
export async function beginGoogle(next: string): Promise<string> {
  return begin(next, undefined);
}

/** The same for somebody without a password who has to prove again who they are; comes back to the settings. */
export async function beginGoogleAgain(actor: Actor): Promise<string> {
  return begin("/settings", { purpose: "again", userId: actor.userId });
}

/** The same for a signed-in person who connects Google. Throws VALIDATION_ERROR unless they prove who they are. */
export async function beginConnect(
  actor: Actor,
  token: string | undefined,
  { currentPassword }: ProofInput,
): Promise<{ location: string }> {
  if (!isGoogleOn) throw new AppError("SERVICE_UNAVAILABLE", { message: signInFailure("Off") });
  await proveIdentity(actor, token, currentPassword, "currentPassword");
  return { location: await begin("/settings?google=connected", { purpose: "connect", userId: actor.userId }) };
}

async function begin(next: string, intent: Intent | undefined): Promise<string> {
  const actor = await optionalActor();
  const page = (failure: SignInFailure) => pageOf(failure, { intent, actor }, next);
  if (!isGoogleOn) return page("Off");
  const jar = await cookies();
  if (intent) jar.set(INTENT_COOKIE, await sealIntent(intent), intentCookieOptions);
  else jar.set(INTENT_COOKIE, "", { ...intentCookieOptions, maxAge: 0 });
  const found = await askGoogle(next).catch((error: unknown) => kindOf(error));
  return found instanceof URL ? found.href : page(found);
}

async function askGoogle(next: string): Promise<URL | SignInFailure> {
  await countHits(await googleHit(await requestOrigin()));
  return addressOfGoogle(authOptions(NOBODY), next);
}

function kindOf(error: unknown): SignInFailure {
  if (error instanceof AppError && error.type === "RATE_LIMITED") return "TooOften";
  if (error instanceof AppError && error.type === "UNAUTHENTICATED") return "Cookies";
  log.error({ err: error }, "sign-in with Google could not begin");
  return "Failed";
}

/** Beginning a sign-in admits nobody. */
const NOBODY: SignInHooks = { admit: async () => false, signedIn: async () => undefined };

/** Where a failure is told: in the settings to whoever came from there, unless they are signed out by now. */
function pageOf(
  failure: SignInFailure,
  { intent, actor }: Partial<Pick<Visit, "intent" | "actor">>,
  asked: string,
): string {
  if (intent && actor) return `/settings?error=${failure}`;
  const next = intent ? "/settings" : asked;
  return next === "/" ? `/auth?error=${failure}` : `/auth?error=${failure}&next=${encodeURIComponent(next)}`;
}

/** Where a success would have led: next-auth keeps it as a whole address. */
function nextOf(request: NextRequest): string {
  const kept = request.cookies.get(CALLBACK_COOKIE)?.value ?? "";
  return kept.startsWith(`${env.APP_URL}/`) ? ownPath(kept.slice(env.APP_URL.length)) : "/";
}
