"use server";

import { cookies } from "next/headers";
import { z } from "zod";
import { SESSION_COOKIE } from "@/lib/auth/sessions";
import {
  loginInput,
  messageOut,
  registerInput,
  resetConfirmInput,
  resetInput,
  settingsInput,
  userOut,
} from "@/lib/features/account/schema";
import { confirmReset, requestReset } from "@/lib/features/account/writes/reset";
import { saveSettings } from "@/lib/features/account/writes/settings";
import { register, signIn, signOut } from "@/lib/features/account/writes/sign-in";
import { action, publicAction } from "@/lib/transport/action";
import { postedForm } from "@/lib/transport/posted-form";
import { Reply } from "@/lib/transport/reply";

export const signInAction = publicAction(loginInput, userOut, async (input, origin) => {
  const { user, session } = await signIn(input, origin);
  return new Reply(user, { session });
});

export const registerAction = publicAction(registerInput, userOut, async (input, origin) => {
  const { user, session } = await register(input, origin);
  return new Reply(user, { session });
});

export const signOutAction = publicAction(z.undefined(), z.null(), async (_input, origin, actor) => {
  await signOut(actor, (await cookies()).get(SESSION_COOKIE)?.value, origin);
  return new Reply(null, { session: "ended" });
});

export const requestResetAction = publicAction(resetInput, messageOut, requestReset);

/** The forms as the browser posts them without a script. */
export const signInForm = postedForm(signInAction, { typed: ["username"], secret: ["password"] });
export const registerForm = postedForm(registerAction, { typed: ["username", "email"], secret: ["password"] });
export const requestResetForm = postedForm(requestResetAction, { typed: ["email"], leads: "nowhere" });

export const confirmResetAction = publicAction(resetConfirmInput, messageOut, confirmReset);

export const saveSettingsAction = action(settingsInput, userOut, saveSettings);
