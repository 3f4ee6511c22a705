"use server";

import { z } from "zod";
import { currentSessionToken } from "@/lib/auth/actor";
import { userOut } from "@/lib/features/account/schema";
import { loginInput, registerInput } from "@/lib/features/account/sign-in/schema";
import { register, signIn, signOut } from "@/lib/features/account/sign-in/writes/sign-in";
import { publicAction } from "@/lib/transport/action";
import { formAction } from "@/lib/transport/form-action";
import { Reply } from "@/lib/transport/reply";

export const signInAction = publicAction(loginInput, userOut, async (input, context) => {
  const { user, ...cookies } = await signIn(input, context);
  return new Reply(user, cookies);
});

export const registerAction = publicAction(registerInput, userOut, async (input, context) => {
  const { user, ...cookies } = await register(input, context);
  return new Reply(user, cookies);
});

export const signOutAction = publicAction(z.undefined(), z.null(), async (_input, context, actor) => {
  await signOut(actor, await currentSessionToken(), context);
  return new Reply(null, { session: "ended" });
});

/** The actions of forms posted without JavaScript. */
export const signInForm = formAction(signInAction, { typed: ["username"], secret: ["password"] });

export const registerForm = formAction(registerAction, { typed: ["username", "email"], secret: ["password"] });
