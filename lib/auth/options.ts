import "server-only";
import { randomBytes } from "node:crypto";
import type { NextAuthOptions } from "next-auth";
import { audit } from "@/lib/audit/audit";
import { requestOrigin } from "@/lib/auth/actor";
import { createAdapter } from "@/lib/auth/adapter";
import { SESSION_COOKIE, SESSION_DAYS, sessionCookieOptions } from "@/lib/auth/sessions";
import { env } from "@/lib/env";

const DAY_SECONDS = 86_400;

/** Is Google sign-in set up on this server? */
export const isGoogleOn = Boolean(env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET);

/**
 * next-auth carries the Google flow alone and writes the same session rows as our own sign-in. An account is never
 * joined by its e-mail alone: next-auth refuses that by itself, and we do not allow it dangerously.
 */
export const authOptions: NextAuthOptions = {
  adapter: createAdapter(),
  ...(env.AUTH_SECRET ? { secret: env.AUTH_SECRET } : {}),
  session: {
    strategy: "database",
    maxAge: SESSION_DAYS * DAY_SECONDS,
    updateAge: DAY_SECONDS,
    generateSessionToken: () => randomBytes(32).toString("base64url"),
  },
  cookies: { sessionToken: { name: SESSION_COOKIE, options: sessionCookieOptions } },
  pages: { signIn: "/auth", error: "/auth" },
  providers: isGoogleOn ? [google()] : [],
  events: {
    signIn: async ({ user }) => audit({ userId: user.id, origin: await requestOrigin(), action: "session.signed_in" }),
  },
  callbacks: {
    signIn: ({ profile }) => (profile as { email_verified?: boolean } | undefined)?.email_verified === true,
    // An explicit object: what is passed on unseen has leaked hashes and tokens before.
    session: ({ session, user }) => ({ expires: session.expires, user: { name: user.name ?? null } }),
  },
};

type GoogleProfile = { sub: string; email: string; name?: string; picture?: string };

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
    profile: ({ sub, email, name, picture }: GoogleProfile) => ({
      id: sub,
      email,
      name: name ?? null,
      image: picture ?? null,
    }),
  };
}
