import type { Metadata } from "next";
import { AuthProvider } from "@/components/account/auth-provider";
import { ResetPasswordForm } from "@/components/account/reset/reset-password-form";
import { optionalActor } from "@/lib/auth/actor";
import { safeNextPath } from "@/lib/auth/next-path";
import { currentUser } from "@/lib/features/account/reads";
import { canMailResets } from "@/lib/features/account/reset/reads";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Choose a new password" };

/** The target of mailed links. Only the browser sees the token in the fragment, so the form redirects users without one. */
export default withRequestId(async function ResetPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const { next } = await searchParams;
  const actor = await optionalActor();
  return (
    <AuthProvider user={actor ? await currentUser(actor) : null}>
      <ResetPasswordForm canReset={canMailResets()} next={safeNextPath(next)} />
    </AuthProvider>
  );
});
