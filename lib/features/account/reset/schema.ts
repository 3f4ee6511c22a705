import { z } from "zod";
import { email, INVALID_EMAIL, password } from "@/lib/features/account/schema";

/** One message for any invalid address. */
export const resetInput = z
  .object({ email })
  .refine(() => false, { error: INVALID_EMAIL, when: ({ issues }) => issues.length > 0 });

/** The token from the e-mailed link. */
export const resetConfirmInput = z.object({ token: z.string().max(200), password });

export type ResetInput = z.infer<typeof resetInput>;

export type ResetConfirmInput = z.infer<typeof resetConfirmInput>;
