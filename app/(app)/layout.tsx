import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { AuthProvider } from "@/components/account/auth-provider";
import { SignedIn } from "@/components/account/signed-in";
import { UserMenu } from "@/components/account/user-menu";
import { SiteQuestionDialog } from "@/components/publishing/site-question";
import { SearchButton } from "@/components/search/search-button";
import { SessionEnded } from "@/components/shared/session-ended";
import { KeepPlace } from "@/components/shell/keep-place";
import { Shell } from "@/components/shell/shell";
import { SIDEBAR_COOKIE, sidebarStateOf } from "@/components/shell/sidebar-state";
import { FollowWork } from "@/components/work/follow-work";
import { LiveCount } from "@/components/work/live-count";
import { pageActor } from "@/lib/auth/actor";
import { currentUser } from "@/lib/features/account/reads";
import { withRequestId } from "@/lib/transport/page-failure";

/** Requires a user, and renders the shell. No Suspense above the pages: once a fallback is sent, a page cannot answer 404. */
export default withRequestId(async function AppLayout({ children }: { children: ReactNode }) {
  const actor = await pageActor();
  const [user, cookieStore] = await Promise.all([currentUser(actor), cookies()]);
  return (
    <AuthProvider user={user}>
      <SignedIn>
        <Shell
          initialSidebar={sidebarStateOf(cookieStore.get(SIDEBAR_COOKIE)?.value)}
          userMenu={<UserMenu />}
          search={<SearchButton />}
          queueCount={<LiveCount />}
        >
          {children}
        </Shell>
        <KeepPlace />
        <FollowWork />
        <SiteQuestionDialog />
        <SessionEnded />
      </SignedIn>
    </AuthProvider>
  );
});
