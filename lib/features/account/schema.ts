import { z } from "zod";
import { PASSWORD_MAX, PASSWORD_MIN } from "@/lib/features/account/rules";
import { isoDate, text, webUrl } from "@/lib/utils/zod";

const USERNAME = /^[A-Za-z0-9._-]+$/;

export const username = text(40, 3)
  .pipe(z.string().regex(USERNAME, "Use letters, digits, dots, hyphens and underscores only."))
  .meta({ pattern: USERNAME.source });

export const password = z
  .string()
  .min(PASSWORD_MIN)
  .max(PASSWORD_MAX)
  .refine((value) => !value.includes("\0"), "This text has characters that cannot be stored.")
  .meta({ pattern: "^[^\\u0000]*$" });

export const INVALID_EMAIL = "Please enter a valid email address";

export const email = text(254)
  .pipe(z.email(INVALID_EMAIL))
  .transform((value) => value.toLowerCase())
  .meta({ format: "email", pattern: z.regexes.email.source });

/** Empty or null means none. */
export const optionalEmail = z.union([z.literal("").transform(() => null), email], INVALID_EMAIL).nullish();

/** Required from users with a password. */
export const reauthenticationInput = z.object({ currentPassword: z.string().max(PASSWORD_MAX).optional() });

export const messageOut = z.object({ message: z.string() });

/** The user as sent to the browser; hash, key and site password never leave the server. */
export const userOut = z
  .object({
    id: z.uuid(),
    username: z.string(),
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    photoURL: webUrl,
    wordpressUrl: z.string().nullable(),
    wordpressUsername: z.string().nullable(),
    hasOpenaiApiKey: z.boolean(),
    openaiApiKeyHint: z.string().nullable(),
    hasWordpressPassword: z.boolean(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: "User" });

export type ReauthenticationInput = z.infer<typeof reauthenticationInput>;

export type MessageOut = z.infer<typeof messageOut>;

export type UserOut = z.infer<typeof userOut>;
