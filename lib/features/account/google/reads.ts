import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isGoogleEnabled } from "@/lib/auth/google";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import type { SignInMethods } from "@/lib/features/account/google/schema";

export async function signInMethods({ userId }: Actor): Promise<SignInMethods> {
  const user = await prisma.user.findUnique({
    where: { id: userId, ...LIVE },
    select: {
      password: true,
      emailVerified: true,
      accounts: { where: { provider: "google" }, select: { id: true } },
    },
  });
  if (!user) throw new AppError("UNAUTHENTICATED");
  return {
    hasPassword: user.password !== null,
    isGoogleEnabled,
    isGoogleConnected: user.accounts.length > 0,
    isEmailVerified: user.emailVerified !== null,
  };
}

/** Does the sign-in page offer Google? */
export function canUseGoogle(): boolean {
  return isGoogleEnabled;
}
