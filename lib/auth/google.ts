import "server-only";
import { env } from "@/lib/env";

export const isGoogleEnabled = Boolean(env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET);

/** `subject` as Google sends it, `email` in lower case. */
export type GoogleIdentity = { subject: string; email: string | null; isEmailVerified: boolean };
