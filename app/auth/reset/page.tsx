import type { Metadata } from "next";
import { AuthProvider } from "@/components/account/auth-provider";
import { ResetPasswordForm } from "@/components/account/reset-password-form";
import { optionalActor } from "@/lib/auth/actor";
import { canMailResets, currentUser } from "@/lib/features/account/reads";
import { withRequestId } from "@/lib/transport/page-failure";
import { ownPath } from "@/lib/utils/own-path";

export const metadata: Metadata = { title: "Choose a new password" };

/**
 * Where a mailed link leads. Its token stands in the fragment, which only the browser sees; so the form itself sends a
 * signed-in person on who came without one.
 */
export default withRequestId(async function ResetPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const { next } = await searchParams;
  const actor = await optionalActor();
  return (
    <AuthProvider user={actor ? await currentUser(actor) : null}>
      <ResetPasswordForm canReset={canMailResets()} next={ownPath(next)} />
    </AuthProvider>
  );
});
