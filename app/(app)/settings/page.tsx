import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageSites } from "@/app/(app)/page-lists";
import { GoogleResultToast } from "@/components/account/google/google-result-toast";
import { DeleteAccount } from "@/components/account/own-data/delete-account";
import { ExportData } from "@/components/account/own-data/export-data";
import { Storage } from "@/components/account/own-data/storage";
import { OpenSessions } from "@/components/account/sessions/open-sessions";
import { RecentActivity } from "@/components/account/sessions/recent-activity";
import { ConnectingToast } from "@/components/account/settings/connecting-toast";
import { PasswordSettings } from "@/components/account/settings/password-settings";
import { SettingsForm } from "@/components/account/settings/settings-form";
import { SignInDetails } from "@/components/account/settings/sign-in-details";
import { SignInMethods } from "@/components/account/settings/sign-in-methods";
import { Sites } from "@/components/account/settings/sites/sites";
import { PageHeader } from "@/components/shared/page-header";
import { currentSessionToken, pageActor } from "@/lib/auth/actor";
import { signInFailure } from "@/lib/auth/sign-in-failure";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { signInMethods } from "@/lib/features/account/google/reads";
import { readStorage } from "@/lib/features/account/own-data/reads";
import { canMailResets } from "@/lib/features/account/reset/reads";
import { openSessions, recentActivity } from "@/lib/features/account/sessions/reads";
import { activityOut, sessionOut } from "@/lib/features/account/sessions/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Profile Settings" };

/** API keys, credentials and the account. The forms are prefilled with the shell's user. */
export default withRequestId(async function SettingsPage({
  searchParams,
}: {
  searchParams: Promise<{ error?: string | string[]; google?: string | string[]; connected?: string | string[] }>;
}) {
  const { error, google, connected } = await searchParams;
  const actor = await pageActor();
  const client = createQueryClient();
  const [activity, methods, sessions, storage] = await Promise.all([
    recentActivity(actor),
    signInMethods(actor),
    openSessions(actor, await currentSessionToken()),
    readStorage(actor),
    setPageSites(client, actor),
  ]);
  client.setQueryData(keys.sessions(), sessionOut.array().parse(sessions));
  return (
    <PageData state={dehydrate(client)}>
      <GoogleResultToast
        failure={signInFailure(error)}
        connected={google === "connected" && methods.isGoogleConnected}
      />
      <ConnectingToast outcome={connected} />
      <PageHeader title="Profile Settings" />
      <SettingsForm />
      <Sites />
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
