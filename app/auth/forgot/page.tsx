import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ForgotPasswordPage } from "@/components/account/forgot-password-page";
import { optionalActor } from "@/lib/auth/actor";
import { canMailResets } from "@/lib/features/account/reads";
import { withRequestId } from "@/lib/transport/page-failure";
import { ownPath } from "@/lib/utils/own-path";

export const metadata: Metadata = { title: "Reset password" };

/** Where "Forgot password?" leads without a script; nobody who is signed in needs it. */
export default withRequestId(async function ForgotPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const { next } = await searchParams;
  if (await optionalActor()) redirect(ownPath(next));
  return <ForgotPasswordPage canReset={canMailResets()} />;
});
