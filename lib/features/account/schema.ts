import { z } from "zod";
import { PASSWORD_MAX, PASSWORD_MIN } from "@/lib/features/account/rules";
import { changeOf, isoDate, text, webAddress } from "@/lib/utils/zod";

const USERNAME = /^[A-Za-z0-9._-]+$/;

export const username = text(40, 3)
  .pipe(z.string().regex(USERNAME, "Use letters, digits, dots, hyphens and underscores only."))
  .meta({ pattern: USERNAME.source });

const password = z
  .string()
  .min(PASSWORD_MIN)
  .max(PASSWORD_MAX)
  .refine((value) => !value.includes("\0"), "This text has characters that cannot be stored.")
  .meta({ pattern: "^[^\\u0000]*$" });

const INVALID_EMAIL = "Please enter a valid email address";

const email = text(254)
  .pipe(z.email(INVALID_EMAIL))
  .transform((value) => value.toLowerCase())
  .meta({ format: "email", pattern: z.regexes.email.source });

/** Empty or null is none. */
const optionalEmail = z.union([z.literal("").transform(() => null), email], INVALID_EMAIL).nullish();

/** Sign-in: the name may be a username or an e-mail address. */
export const loginInput = z.object({
  username: text(254, 1),
  password: z.string().min(1).max(PASSWORD_MAX),
});

export const registerInput = z.object({
  username,
  email: optionalEmail,
  password,
});

/** What a person may change of the account itself; who has a password proves it is them with it. */
export const changeAccountInput = changeOf(
  z.object({
    username,
    /** Empty or null removes it. */
    email: optionalEmail,
    password,
    currentPassword: z.string().max(PASSWORD_MAX, "The current password is not right."),
  }),
  "currentPassword",
);

/** Who has a password proves with it that it is them. */
export const proofInput = z.object({ currentPassword: z.string().max(PASSWORD_MAX).optional() });

/** An address to send the browser to. */
export const locationOut = z.object({ location: z.string() });

/** `confirm` is the username, typed by hand. */
export const deleteAccountInput = z.object({
  confirm: z.string().max(254),
  password: z.string().max(PASSWORD_MAX).optional(),
});

/** An open session, without its token. */
export const sessionOut = z
  .object({
    id: z.uuid(),
    createdAt: isoDate,
    expires: isoDate,
    /** Right to a day. */
    lastUsed: isoDate,
    /** Such as "Chrome on Linux". */
    device: z.string(),
    /** Null where clients cannot be told apart. */
    address: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: "Session" });

/** How a person can sign in, and whether we have verified their e-mail address. */
export const signInMethodsOut = z.object({
  hasPassword: z.boolean(),
  /** Is Google sign-in set up on this server? */
  isGoogleOn: z.boolean(),
  isGoogleConnected: z.boolean(),
  isEmailVerified: z.boolean(),
});

/** An entry of the account's own trail: one event, or so many `times` of one kind of failure and the last of them. */
export const activityOut = z.object({
  id: z.uuid(),
  action: z.string(),
  subject: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: isoDate,
  times: z.number(),
  /** A sign-in from a browser that had not signed in to the account before. */
  newBrowser: z.boolean(),
});

/** Whatever is wrong with the address, the answer's sentence is this one. */
export const resetInput = z
  .object({ email })
  .refine(() => false, { error: INVALID_EMAIL, when: ({ issues }) => issues.length > 0 });

/** The token of the mailed link, and the password from now on. */
export const resetConfirmInput = z.object({ token: z.string().max(200), password });

/** A sentence for a person. */
export const messageOut = z.object({ message: z.string() });

/** What a client knows of the person whose ID token it sends; the token decides who it is. */
export const idTokenInput = z
  .object({
    firebaseUid: z.string().max(128).nullish(),
    email: optionalEmail,
    displayName: text(200).nullish(),
    photoURL: text(2000)
      .pipe(z.url({ protocol: /^https?$/ }))
      .meta({ format: "uri", pattern: "^https?://[^\\s:/?#@]" })
      .nullish(),
  })
  .default({});

/** Secrets: absent or empty is unchanged, null removes. URL and user name: empty clears. */
const secret = (max: number) => text(max).nullish();
export const settingsInput = changeOf(
  z.object({
    openaiApiKey: secret(400),
    wordpressUrl: text(2000).nullish(),
    wordpressUsername: text(254).nullish(),
    wordpressPassword: secret(400),
  }),
);

/** The user as the browser may see them; hash, key and site password never leave the server. */
export const userOut = z
  .object({
    id: z.uuid(),
    username: z.string(),
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    photoURL: webAddress,
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
export type ChangeAccountInput = z.infer<typeof changeAccountInput>;
export type DeleteAccountInput = z.infer<typeof deleteAccountInput>;
export type ProofInput = z.infer<typeof proofInput>;
export type SignInMethods = z.infer<typeof signInMethodsOut>;
export type SessionOut = z.infer<typeof sessionOut>;
export type Activity = z.infer<typeof activityOut>;
export type ResetInput = z.infer<typeof resetInput>;
export type ResetConfirmInput = z.infer<typeof resetConfirmInput>;
export type MessageOut = z.infer<typeof messageOut>;
export type IdTokenInput = z.infer<typeof idTokenInput>;
export type SettingsInput = z.infer<typeof settingsInput>;
export type UserOut = z.infer<typeof userOut>;
