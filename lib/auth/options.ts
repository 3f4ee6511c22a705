import "server-only";
import { randomBytes } from "node:crypto";
import type { NextAuthOptions } from "next-auth";
import { createAdapter } from "@/lib/auth/adapter";
import { type GoogleIdentity, isGoogleEnabled } from "@/lib/auth/google";
import { safeNextPath } from "@/lib/auth/next-path";
import { SESSION_COOKIE, SESSION_DAYS, sessionCookieOptions } from "@/lib/auth/sessions";
import { env } from "@/lib/env";
import { COOKIES } from "@/lib/utils/cookie-names";

const DAY_SECONDS = 86_400;
/** The library's 3.5 seconds are too short for Google at times. */
const PROVIDER_TIMEOUT_MS = 10_000;

/** Holds the destination while the user is at Google. */
export const CALLBACK_COOKIE = COOKIES.signInNext;

export type SignInHooks = {
  /** May this Google account sign in? Links it first where it may. */
  admit: (google: GoogleIdentity) => Promise<boolean>;
  signedIn: (user: { id: string; isNew: boolean }) => Promise<void>;
  /** The token of the session that the new one replaces. */
  replaced?: string | undefined;
};

/**
 * next-auth runs the Google flow and writes ordinary session rows. It never links accounts by e-mail; `admit` does,
 * where both sides have verified the address.
 */
export function authOptions({ admit, signedIn, replaced }: SignInHooks): NextAuthOptions {
  return {
    adapter: createAdapter(replaced),
    ...(env.AUTH_SECRET ? { secret: env.AUTH_SECRET } : {}),
    session: {
      strategy: "database",
      maxAge: SESSION_DAYS * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      generateSessionToken: () => randomBytes(32).toString("base64url"),
    },
    cookies: {
      sessionToken: { name: SESSION_COOKIE, options: sessionCookieOptions },
      callbackUrl: { name: CALLBACK_COOKIE, options: sessionCookieOptions },
    },
    pages: { signIn: "/auth", error: "/auth" },
    providers: isGoogleEnabled ? [google()] : [],
    events: { signIn: ({ user, isNewUser }) => signedIn({ id: user.id, isNew: isNewUser === true }) },
    callbacks: {
      signIn: ({ profile }) => admit(identityOf(profile as GoogleProfile)),
      redirect: ({ url, baseUrl }) =>
        baseUrl + safeNextPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
      // An explicit object: passing everything on has leaked hashes and tokens before.
      session: ({ session, user }) => ({ expires: session.expires, user: { name: user.name ?? null } }),
    },
  };
}

type GoogleProfile = { sub: string; email?: string; email_verified?: boolean; name?: string; picture?: string };

function identityOf({ sub, email, email_verified }: GoogleProfile): GoogleIdentity {
  return { subject: sub, email: email?.toLowerCase() ?? null, isEmailVerified: email_verified === true };
}

function google(): NextAuthOptions["providers"][number] {
  return {
    id: "google",
    name: "Google",
    type: "oauth",
    wellKnown: `${env.GOOGLE_ISSUER}/.well-known/openid-configuration`,
    clientId: env.GOOGLE_CLIENT_ID,
    clientSecret: env.GOOGLE_CLIENT_SECRET,
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    authorization: { params: { scope: "openid email profile" } },
    httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
    profile: ({ sub, email, name, picture }: GoogleProfile) => ({
      id: sub,
      email: email ?? null,
      name: name ?? null,
      image: picture ?? null,
    }),
  };
}
