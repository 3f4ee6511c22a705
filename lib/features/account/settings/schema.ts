import { z } from "zod";
import { PASSWORD_MAX } from "@/lib/features/account/rules";
import { optionalEmail, password, username } from "@/lib/features/account/schema";
import { patchInput, text } from "@/lib/utils/zod";

/** `currentPassword` is required from users with a password. */
export const changeAccountInput = patchInput(
  z.object({
    username,
    /** Empty or null removes it. */
    email: optionalEmail,
    password,
    currentPassword: z.string().max(PASSWORD_MAX, "The current password is not right."),
  }),
  "currentPassword",
);

/** Secrets: absent or empty leaves them, null removes them. URL and username: empty clears them. */
const secret = (max: number) => text(max).nullish();

export const settingsInput = patchInput(
  z.object({
    openaiApiKey: secret(400),
    wordpressUrl: text(2000).nullish(),
    wordpressUsername: text(254).nullish(),
    wordpressPassword: secret(400),
  }),
);

export type ChangeAccountInput = z.infer<typeof changeAccountInput>;

export type SettingsInput = z.infer<typeof settingsInput>;
