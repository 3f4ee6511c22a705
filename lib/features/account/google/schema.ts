import "@/lib/utils/zod-config";
import { z } from "zod";

/** A URL to redirect to. */
export const locationOut = z.object({ location: z.string() });

export const signInMethodsOut = z.object({
  hasPassword: z.boolean(),
  /** Google sign-in is set up on this server. */
  isGoogleEnabled: z.boolean(),
  isGoogleConnected: z.boolean(),
  isEmailVerified: z.boolean(),
});

export type SignInMethods = z.infer<typeof signInMethodsOut>;
