import "server-only";
import { randomBytes } from "node:crypto";
import type { NextAuthOptions } from "next-auth";
import { createAdapter } from "@/lib/auth/adapter";
import { type GoogleIdentity, isGoogleOn } from "@/lib/auth/google";
import { SESSION_COOKIE, SESSION_DAYS, sessionCookieOptions } from "@/lib/auth/sessions";
import { env } from "@/lib/env";
import { ownPath } from "@/lib/utils/own-path";

const DAY_SECONDS = 86_400;
/** Google's own pages answer slowly at times; the library's three and a half seconds were too few. */
const PROVIDER_TIMEOUT_MS = 10_000;

/** Keeps where a success leads while the person is at Google. */
export const CALLBACK_COOKIE = "sign-in-next";

export type SignInHooks = {
  /** May this Google account sign in now? Connects or joins it first, where it may. */
  admit: (google: GoogleIdentity) => Promise<boolean>;
  /** After a session was written. */
  signedIn: (user: { id: string; isNew: boolean }) => Promise<void>;
  /** The token of the session whose place the new one takes. */
  replaced?: string | undefined;
};

/**
 * next-auth carries the Google flow alone and writes the same session rows as our own sign-in. It never joins accounts by
 * their e-mail; `admit` does, where both sides have verified the address.
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
    providers: isGoogleOn ? [google()] : [],
    events: { signIn: ({ user, isNewUser }) => signedIn({ id: user.id, isNew: isNewUser === true }) },
    callbacks: {
      signIn: ({ profile }) => admit(identityOf(profile as GoogleProfile)),
      redirect: ({ url, baseUrl }) =>
        baseUrl + ownPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
      // An explicit object: what is passed on unseen has leaked hashes and tokens before.
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
