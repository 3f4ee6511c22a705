import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthForms } from "@/components/account/auth-forms";
import { AuthProvider } from "@/components/account/auth-provider";
import { signInFailure } from "@/components/account/sign-in-failure";
import { optionalActor } from "@/lib/auth/actor";
import { canMailResets } from "@/lib/features/account/reads";
import { withRequestId } from "@/lib/transport/page-failure";
import { ownPath } from "@/lib/utils/own-path";

export const metadata: Metadata = { title: "Sign in" };

/** Whoever is signed in goes on to where they were sent from, or to the projects. */
export default withRequestId(async function AuthPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[]; tab?: string | string[]; error?: string | string[] }>;
}) {
  const { next: asked, tab, error } = await searchParams;
  const next = ownPath(asked);
  if (await optionalActor()) redirect(next);
  return (
    <>
      <h1 className="sr-only">Sign in to Content Planner</h1>
      <AuthProvider user={null}>
        <AuthForms
          next={next}
          tab={tab === "register" ? tab : "login"}
          canReset={canMailResets()}
          failure={signInFailure(error)}
        />
      </AuthProvider>
    </>
  );
});
