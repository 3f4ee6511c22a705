import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { ComeFromGoogle } from "@/components/account/come-from-google";
import { DeleteAccount } from "@/components/account/delete-account";
import { ExportData } from "@/components/account/export-data";
import { OpenSessions } from "@/components/account/open-sessions";
import { PasswordSettings } from "@/components/account/password-settings";
import { RecentActivity } from "@/components/account/recent-activity";
import { SettingsForm } from "@/components/account/settings-form";
import { SignInDetails } from "@/components/account/sign-in-details";
import { SignInMethods } from "@/components/account/sign-in-methods";
import { Storage } from "@/components/account/storage";
import { PageHeader } from "@/components/shared/page-header";
import { pageActor, requestToken } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { canMailResets, openSessions, readStorage, recentActivity, signInMethods } from "@/lib/features/account/reads";
import { activityOut, sessionOut } from "@/lib/features/account/schema";
import { withRequestId } from "@/lib/transport/page-failure";
import { signInFailure } from "@/lib/utils/sign-in-failure";

export const metadata: Metadata = { title: "Profile Settings" };

/** Keys, credentials and the account itself. The forms are prefilled from the user the shell holds. */
export default withRequestId(async function SettingsPage({
  searchParams,
}: {
  searchParams: Promise<{ error?: string | string[]; google?: string | string[] }>;
}) {
  const { error, google } = await searchParams;
  const actor = await pageActor();
  const [activity, methods, sessions, storage] = await Promise.all([
    recentActivity(actor),
    signInMethods(actor),
    openSessions(actor, await requestToken()),
    readStorage(actor),
  ]);
  const client = createQueryClient();
  client.setQueryData(keys.sessions(), sessionOut.array().parse(sessions));
  return (
    <PageData state={dehydrate(client)}>
      <ComeFromGoogle failure={signInFailure(error)} connected={google === "connected" && methods.isGoogleConnected} />
      <PageHeader title="Profile Settings" />
      <SettingsForm />
      <h2 className="mt-10 mb-4 font-medium text-md tracking-[-0.006em]">Account</h2>
      <SignInDetails methods={methods} canMail={canMailResets()} />
      <PasswordSettings methods={methods} />
      <SignInMethods methods={methods} />
      <OpenSessions />
      <RecentActivity events={activityOut.array().parse(activity)} />
      <Storage {...storage} />
      <ExportData />
      <DeleteAccount methods={methods} />
    </PageData>
  );
});
