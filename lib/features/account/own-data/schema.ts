import "@/lib/utils/zod-config";
import { z } from "zod";
import { PASSWORD_MAX } from "@/lib/features/account/rules";

/** `confirm` is the username, typed by hand. */
export const deleteAccountInput = z.object({
  confirm: z.string().max(254),
  password: z.string().max(PASSWORD_MAX).optional(),
});

export type DeleteAccountInput = z.infer<typeof deleteAccountInput>;
