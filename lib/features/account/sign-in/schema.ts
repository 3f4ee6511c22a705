import { z } from "zod";
import { PASSWORD_MAX } from "@/lib/features/account/rules";
import { optionalEmail, password, username } from "@/lib/features/account/schema";
import { text } from "@/lib/utils/zod";

/** `username` may be an e-mail address. */
export const loginInput = z.object({
  username: text(254, 1),
  password: z.string().min(1).max(PASSWORD_MAX),
});

export const registerInput = z.object({
  username,
  email: optionalEmail,
  password,
});

/** Profile data from the client; the token decides who signs in. */
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

export type LoginInput = z.infer<typeof loginInput>;

export type RegisterInput = z.infer<typeof registerInput>;

export type IdTokenInput = z.infer<typeof idTokenInput>;
