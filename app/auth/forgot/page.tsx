import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ForgotPasswordPage } from "@/components/account/reset/forgot-password-page";
import { optionalActor } from "@/lib/auth/actor";
import { safeNextPath } from "@/lib/auth/next-path";
import { canMailResets } from "@/lib/features/account/reset/reads";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Reset password" };

/** "Forgot password?" without scripts. */
export default withRequestId(async function ForgotPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const { next } = await searchParams;
  if (await optionalActor()) redirect(safeNextPath(next));
  return <ForgotPasswordPage canReset={canMailResets()} />;
});
