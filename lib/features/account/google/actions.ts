"use server";

import { redirect } from "next/navigation";
import { currentSessionToken, optionalActor } from "@/lib/auth/actor";
import { safeNextPath } from "@/lib/auth/next-path";
import { locationOut, signInMethodsOut } from "@/lib/features/account/google/schema";
import { unlinkGoogle } from "@/lib/features/account/google/writes/link";
import {
  authorizeGoogle,
  authorizeGoogleLink,
  reauthenticateWithGoogle,
} from "@/lib/features/account/google/writes/oauth";
import { reauthenticationInput } from "@/lib/features/account/schema";
import { action } from "@/lib/transport/action";
import { formText } from "@/lib/transport/form-action";

/** A form action that redirects to Google, with or without JavaScript. */
export async function continueWithGoogleAction(form: FormData): Promise<never> {
  redirect(await authorizeGoogle(safeNextPath(formText(form, "next"))));
}

/** Leads users without a password to a fresh sign-in. */
export async function reauthenticateAction(): Promise<never> {
  const actor = await optionalActor();
  redirect(actor ? await reauthenticateWithGoogle(actor) : "/auth?next=/settings");
}

export const linkGoogleAction = action(reauthenticationInput, locationOut, async (actor, input) =>
  authorizeGoogleLink(actor, await currentSessionToken(), input),
);

export const unlinkGoogleAction = action(reauthenticationInput, signInMethodsOut, async (actor, input) =>
  unlinkGoogle(actor, await currentSessionToken(), input),
);
