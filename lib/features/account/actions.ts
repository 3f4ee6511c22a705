"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { optionalActor, requestToken } from "@/lib/auth/actor";
import {
  locationOut,
  loginInput,
  messageOut,
  proofInput,
  registerInput,
  resetConfirmInput,
  resetInput,
  settingsInput,
  signInMethodsOut,
  userOut,
} from "@/lib/features/account/schema";
import { disconnectGoogle } from "@/lib/features/account/writes/google";
import { beginConnect, beginGoogle, beginGoogleAgain } from "@/lib/features/account/writes/google-flow";
import { confirmReset, requestReset } from "@/lib/features/account/writes/reset";
import { saveSettings } from "@/lib/features/account/writes/settings";
import { register, signIn, signOut } from "@/lib/features/account/writes/sign-in";
import { action, publicAction } from "@/lib/transport/action";
import { postedForm, textOf } from "@/lib/transport/posted-form";
import { Reply } from "@/lib/transport/reply";
import { ownPath } from "@/lib/utils/own-path";

export const signInAction = publicAction(loginInput, userOut, async (input, origin) => {
  const { user, ...cookies } = await signIn(input, origin);
  return new Reply(user, cookies);
});

export const registerAction = publicAction(registerInput, userOut, async (input, origin) => {
  const { user, ...cookies } = await register(input, origin);
  return new Reply(user, cookies);
});

export const signOutAction = publicAction(z.undefined(), z.null(), async (_input, origin, actor) => {
  await signOut(actor, await requestToken(), origin);
  return new Reply(null, { session: "ended" });
});

export const requestResetAction = publicAction(resetInput, messageOut, requestReset);

/** The forms as the browser posts them without a script. */
export const signInForm = postedForm(signInAction, { typed: ["username"], secret: ["password"] });
export const registerForm = postedForm(registerAction, { typed: ["username", "email"], secret: ["password"] });
export const requestResetForm = postedForm(requestResetAction, { typed: ["email"], leads: "nowhere" });

export const confirmResetAction = publicAction(resetConfirmInput, messageOut, async (input, origin) => {
  const { message, device } = await confirmReset(input, origin);
  return new Reply({ message }, { device });
});

export const saveSettingsAction = action(settingsInput, userOut, saveSettings);

/** A form of its own: it leaves for Google, with or without scripts. */
export async function continueWithGoogleAction(form: FormData): Promise<never> {
  redirect(await beginGoogle(ownPath(textOf(form, "next"))));
}

/** For whoever has no password: the way to a fresh sign-in. */
export async function signInAgainAction(): Promise<never> {
  const actor = await optionalActor();
  redirect(actor ? await beginGoogleAgain(actor) : "/auth?next=/settings");
}

export const connectGoogleAction = action(proofInput, locationOut, async (actor, input) =>
  beginConnect(actor, await requestToken(), input),
);

export const disconnectGoogleAction = action(proofInput, signInMethodsOut, async (actor, input) =>
  disconnectGoogle(actor, await requestToken(), input),
);
