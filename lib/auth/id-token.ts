import "server-only";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { whileAway } from "@/lib/limits/place";

/** `uid` as the provider sends it, `email` in lower case. */
export type Identity = { uid: string; email: string | null; emailVerified: boolean };

/** An invalid token. `uid` is set when the provider signed it but it has expired. */
export class RefusedToken extends AppError {
  constructor(readonly uid?: string) {
    super("UNAUTHENTICATED", { message: "Your ID token is not valid or has expired. Please sign in again." });
  }
}

/** ID tokens live for an hour; clocks may differ by seconds. */
const MAX_AGE_SECONDS = 3600;
const CLOCK_TOLERANCE_SECONDS = 5;

/**
 * Verifies `Authorization: Bearer <ID token>` as Firebase documents it
 * (firebase.google.com/docs/auth/admin/verify-id-tokens): RS256, issuer, audience, times, subject. Throws RefusedToken,
 * UNAUTHENTICATED without a token, or SERVICE_UNAVAILABLE when ID tokens are not set up or the keys cannot be fetched.
 */
export async function verifyIdToken(authorization: string | null): Promise<Identity> {
  const project = env.FIREBASE_PROJECT_ID;
  if (!project) {
    throw new AppError("SERVICE_UNAVAILABLE", { message: "Sign-in with ID tokens is not set up on this server." });
  }
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization ?? "")?.[1];
  if (!token) throw new AppError("UNAUTHENTICATED", { message: "Send an ID token as Authorization: Bearer <token>." });
  return identityOf(await payloadOf(token, project));
}

async function payloadOf(token: string, project: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, publishedKey, {
      algorithms: ["RS256"],
      issuer: `https://securetoken.google.com/${project}`,
      audience: project,
      requiredClaims: ["sub", "iat", "exp"],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return payload;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The signature is checked before the claims, so an expired token was valid once.
    const sub = error instanceof errors.JWTExpired ? error.payload.sub : undefined;
    throw new RefusedToken(sub && isId(sub) ? sub : undefined);
  }
}

/** A failure here is the provider's, unless the token names an unknown key. */
const publishedKey: JWTVerifyGetKey = async (header, token) => {
  try {
    return await whileAway(() => published(header, token));
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
    throw new AppError("SERVICE_UNAVAILABLE", {
      message: "The sign-in provider could not be reached to check your ID token. Please try again in a moment.",
      retryAfter: 30,
      cause: error,
    });
  }
};

/** The keys are cached for ten minutes; an unknown key refetches at most twice a minute. */
const published = createRemoteJWKSet(new URL(env.FIREBASE_JWKS_URL), { timeoutDuration: 5_000 });

/** We never normalise an id: two ids must not become one. Postgres stores neither NUL nor lone surrogates. */
const id = z
  .string()
  .min(1)
  .max(128)
  .refine((value) => !/\0|\p{Cs}/u.test(value));
const isId = (value: string) => id.safeParse(value).success;
const claims = z.object({
  sub: id,
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  auth_time: z.number().optional(),
});

function identityOf(payload: JWTPayload): Identity {
  const parsed = claims.safeParse(payload);
  if (!parsed.success) throw new RefusedToken();
  const { sub, email, email_verified, auth_time = 0 } = parsed.data;
  if (auth_time > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throw new RefusedToken();
  return {
    uid: sub,
    email: email?.toLowerCase() ?? null,
    emailVerified: email !== undefined && email_verified === true,
  };
}
