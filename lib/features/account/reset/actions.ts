"use server";
import { resetConfirmInput, resetInput } from "@/lib/features/account/reset/schema";
import { confirmReset, requestReset } from "@/lib/features/account/reset/writes";
import { messageOut } from "@/lib/features/account/schema";
import { publicAction } from "@/lib/transport/action";
import { formAction } from "@/lib/transport/form-action";
import { Reply } from "@/lib/transport/reply";

export const requestResetAction = publicAction(resetInput, messageOut, requestReset);

export const requestResetForm = formAction(requestResetAction, { typed: ["email"], leads: "nowhere" });

export const confirmResetAction = publicAction(resetConfirmInput, messageOut, async (input, context) => {
  const { message, device } = await confirmReset(input, context);
  return new Reply({ message }, { device });
});
