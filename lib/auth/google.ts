import "server-only";
import { env } from "@/lib/env";

/** Is Google sign-in set up on this server? */
export const isGoogleOn = Boolean(env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET);

/** Whom a Google account speaks of: its subject as it is, the address in lower case. */
export type GoogleIdentity = { subject: string; email: string | null; isEmailVerified: boolean };
