import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { DeleteAccount } from "@/components/account/delete-account";
import { ExportData } from "@/components/account/export-data";
import { OpenSessions } from "@/components/account/open-sessions";
import { RecentActivity } from "@/components/account/recent-activity";
import { SettingsForm } from "@/components/account/settings-form";
import { SignInAgain } from "@/components/account/sign-in-again";
import { PageHeader } from "@/components/shared/page-header";
import { pageActor, requestToken } from "@/lib/auth/actor";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { openSessions, recentActivity, signInMethods } from "@/lib/features/account/reads";
import { activityOut, sessionsOut } from "@/lib/features/account/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Profile Settings" };

/** Keys, credentials and the account itself. The form is prefilled from the user the shell holds. */
export default withRequestId(async function SettingsPage() {
  const actor = await pageActor();
  const [activity, methods, sessions] = await Promise.all([
    recentActivity(actor),
    signInMethods(actor),
    openSessions(actor, await requestToken()),
  ]);
  const client = createQueryClient();
  client.setQueryData(keys.sessions(), sessionsOut.parse(sessions));
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <PageHeader title="Profile Settings" />
      <SettingsForm />
      <h2 className="mt-10 mb-4 font-medium text-md tracking-[-0.006em]">Account</h2>
      <SignInAgain methods={methods} />
      <OpenSessions />
      <RecentActivity events={activityOut.array().parse(activity)} />
      <ExportData />
      <DeleteAccount methods={methods} />
    </HydrationBoundary>
  );
});
