"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { optionalActor } from "@/lib/auth/actor";
import { SESSION_COOKIE } from "@/lib/auth/sessions";
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
import { Reply } from "@/lib/transport/reply";
import { ownPath } from "@/lib/utils/own-path";

export const signInAction = publicAction(loginInput, userOut, async (input, origin) => {
  const { user, session } = await signIn(input, origin);
  return new Reply(user, { session });
});

export const registerAction = publicAction(registerInput, userOut, async (input, origin) => {
  const { user, session } = await register(input, origin);
  return new Reply(user, { session });
});

export const signOutAction = publicAction(z.undefined(), z.null(), async (_input, origin, actor) => {
  await signOut(actor, await ownToken(), origin);
  return new Reply(null, { session: "ended" });
});

export const requestResetAction = publicAction(resetInput, messageOut, requestReset);

export const confirmResetAction = publicAction(resetConfirmInput, messageOut, confirmReset);

export const saveSettingsAction = action(settingsInput, userOut, saveSettings);

/** A form of its own: it leaves for Google, with or without scripts. */
export async function continueWithGoogleAction(form: FormData): Promise<never> {
  redirect(await beginGoogle(ownPath(form.get("next"))));
}

/** For whoever has no password: the way to a fresh sign-in. */
export async function signInAgainAction(): Promise<never> {
  const actor = await optionalActor();
  redirect(actor ? await beginGoogleAgain(actor) : "/auth?next=/settings");
}

export const connectGoogleAction = action(proofInput, locationOut, async (actor, input) =>
  beginConnect(actor, await ownToken(), input),
);

export const disconnectGoogleAction = action(proofInput, signInMethodsOut, async (actor, input) =>
  disconnectGoogle(actor, await ownToken(), input),
);

async function ownToken(): Promise<string | undefined> {
  return (await cookies()).get(SESSION_COOKIE)?.value;
}
