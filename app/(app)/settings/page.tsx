import type { Metadata } from "next";
import { PasswordSettings } from "@/components/account/password-settings";
import { RecentActivity } from "@/components/account/recent-activity";
import { SettingsForm } from "@/components/account/settings-form";
import { SignInDetails } from "@/components/account/sign-in-details";
import { SignInMethods } from "@/components/account/sign-in-methods";
import { ToldOnce } from "@/components/account/told-once";
import { PageHeader } from "@/components/shared/page-header";
import { pageActor } from "@/lib/auth/actor";
import { canMailResets, recentActivity, signInMethods } from "@/lib/features/account/reads";
import { activityOut } from "@/lib/features/account/schema";
import { withRequestId } from "@/lib/transport/page-failure";
import { signInFailure } from "@/lib/utils/sign-in-failure";

export const metadata: Metadata = { title: "Profile Settings" };

/** Keys and credentials, the account and its history. The forms are prefilled from the user the shell holds. */
export default withRequestId(async function SettingsPage({
  searchParams,
}: {
  searchParams: Promise<{ error?: string | string[]; google?: string | string[] }>;
}) {
  const { error, google } = await searchParams;
  const failure = signInFailure(error);
  const actor = await pageActor();
  const [activity, methods] = await Promise.all([recentActivity(actor), signInMethods(actor)]);
  return (
    <>
      {failure ? (
        <ToldOnce title="Authentication failed" description={failure} variant="destructive" path="/settings" />
      ) : null}
      {google === "connected" && methods.isGoogleConnected ? (
        <ToldOnce
          title="Success"
          description="Google is connected. You can sign in with it from now on."
          path="/settings"
        />
      ) : null}
      <PageHeader title="Profile Settings" />
      <SettingsForm />
      <h2 className="mt-10 mb-4 font-medium text-md tracking-[-0.006em]">Account</h2>
      <SignInDetails methods={methods} canMail={canMailResets()} />
      <PasswordSettings methods={methods} />
      <SignInMethods methods={methods} />
      <RecentActivity events={activityOut.array().parse(activity)} />
    </>
  );
});
