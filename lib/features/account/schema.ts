import { z } from "zod";
import { text } from "@/lib/utils/text";
import { AT_LEAST_ONE, atLeastOne, isoDate } from "@/lib/utils/zod";

/** Long enough for a sentence, short enough that hashing stays cheap. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

export const username = text(40, 3).pipe(
  z.string().regex(/^[A-Za-z0-9._-]+$/, "Use letters, digits, dots, hyphens and underscores only."),
);

const password = z
  .string()
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`)
  .refine((value) => !value.includes("\0"), "This text has characters that cannot be stored.");

const email = text(254)
  .pipe(z.email("Please enter a valid email address"))
  .transform((value) => value.toLowerCase());

/** Sign-in: the name may be a username or an e-mail address. */
export const loginInput = z.object({
  username: text(254, 1),
  password: z.string().min(1, "This field is required.").max(PASSWORD_MAX),
});

export const registerInput = z.object({
  username,
  email: z.union([z.literal("").transform(() => null), email], "Please enter a valid email address").nullish(),
  password,
});

/** Secrets: absent or empty is unchanged, null removes. URL and user name: empty clears. */
const secret = (max: number) => z.union([text(max), z.null()]).optional();
export const settingsInput = z
  .object({
    openaiApiKey: secret(400),
    wordpressUrl: text(2000).nullish(),
    wordpressUsername: text(254).nullish(),
    wordpressPassword: secret(400),
  })
  .refine(atLeastOne, AT_LEAST_ONE);

/** The user as the browser may see them; hash, key and site password never leave the server. */
export const userOut = z
  .object({
    id: z.uuid(),
    username: z.string(),
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    photoURL: z.string().nullable(),
    wordpressUrl: z.string().nullable(),
    wordpressUsername: z.string().nullable(),
    hasOpenaiApiKey: z.boolean(),
    openaiApiKeyHint: z.string().nullable(),
    hasWordpressPassword: z.boolean(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: "User" });

export type LoginInput = z.infer<typeof loginInput>;
export type RegisterInput = z.infer<typeof registerInput>;
export type SettingsInput = z.infer<typeof settingsInput>;
export type UserOut = z.infer<typeof userOut>;
