import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthProvider } from "@/components/account/auth-provider";
import { AuthForms } from "@/components/account/sign-in/auth-forms";
import { SignInFailed } from "@/components/account/sign-in/sign-in-failed";
import { optionalActor } from "@/lib/auth/actor";
import { safeNextPath } from "@/lib/auth/next-path";
import { signInFailure } from "@/lib/auth/sign-in-failure";
import { canUseGoogle } from "@/lib/features/account/google/reads";
import { canMailResets } from "@/lib/features/account/reset/reads";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Sign in" };

/** Redirects signed-in users to the page they came from, or to the projects. */
export default withRequestId(async function AuthPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[]; tab?: string | string[]; error?: string | string[] }>;
}) {
  const { next: requested, tab, error } = await searchParams;
  const next = safeNextPath(requested);
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
          isGoogleEnabled={canUseGoogle()}
        />
      </AuthProvider>
    </>
  );
});
