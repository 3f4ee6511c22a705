import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthForms } from "@/components/account/auth-forms";
import { AuthProvider } from "@/components/account/auth-provider";
import { SignInFailed } from "@/components/account/sign-in-failed";
import { optionalActor } from "@/lib/auth/actor";
import { canMailResets, canUseGoogle } from "@/lib/features/account/reads";
import { withRequestId } from "@/lib/transport/page-failure";
import { ownPath } from "@/lib/utils/own-path";
import { signInFailure } from "@/lib/utils/sign-in-failure";

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
  const failure = signInFailure(error);
  return (
    <>
      <h1 className="sr-only">Sign in to Content Planner</h1>
      <AuthProvider user={null}>
        {failure ? <SignInFailed sentence={failure} next={next} /> : null}
        <AuthForms
          next={next}
          tab={tab === "register" ? tab : "login"}
          canReset={canMailResets()}
          isGoogleOn={canUseGoogle()}
        />
      </AuthProvider>
    </>
  );
});
