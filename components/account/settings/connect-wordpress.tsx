"use client";

import { useEffect, useId } from "react";
import { Notice } from "@/components/shared/notice";
import { ReasonButton } from "@/components/shared/reason-button";
import { detailOf, errorText } from "@/lib/client/api";
import { disableUnloadWarning } from "@/lib/client/leave-guard";
import { loadPage } from "@/lib/client/load-page";
import type { ConnectSite } from "@/lib/features/sites/connecting/client";
import type { ConnectInput, ConnectOut } from "@/lib/features/sites/connecting/schema";

type Props = {
  connect: ConnectSite;
  /** What to connect; its address is as it is typed. */
  input: ConnectInput;
  /** Something on this page would be lost. */
  hasOtherChanges: boolean;
};

/**
 * Opens the site's page where the user approves the connection; the browser comes back with the password saved. Where WordPress
 * would not send it back, it says why: the password is copied then.
 */
export function ConnectWordPress({ connect, input, hasOtherChanges }: Props) {
  const aboutId = useId();
  const isAbout = connect.variables?.url === input.url;
  const reason = isAbout ? connect.data?.reason : undefined;
  const page = connect.data?.authorizeUrl;
  useEffect(() => {
    if (!page) return;
    disableUnloadWarning();
    loadPage(page);
  }, [page]);

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <ReasonButton
          variant="outline"
          aria-describedby={aboutId}
          disabledReason={
            input.url === ""
              ? "Enter the URL of your site first."
              : hasOtherChanges && "Save or undo your other changes first."
          }
          pending={connect.isPending}
          onClick={() => connect.mutate(input)}
        >
          Connect with WordPress
        </ReasonButton>
        <p id={aboutId} className="min-w-0 flex-1 basis-60 text-muted-foreground text-sm">
          Opens your site, where you approve the connection: there is no password to copy.
        </p>
      </div>
      {reason ? (
        <Notice live variant="warning" title="Your site cannot send the password by itself">
          {REASONS[reason]}
        </Notice>
      ) : null}
      {connect.error && isAbout ? (
        <Notice live variant="destructive" title="Your site was not connected">
          <p>{errorText(connect.error, "The server did not answer. Please try again.")}</p>
          {detailOf(connect.error) ? <p>{detailOf(connect.error)}</p> : null}
        </Notice>
      ) : null}
    </div>
  );
}

const REASONS: Record<NonNullable<ConnectOut["reason"]>, string> = {
  "plain-http":
    "WordPress sends a password over https only, and your site or Content Planner is not served over https: create the password there, and copy it into the field below.",
  "no-endpoint":
    "It does not offer to connect applications, which a security plugin may have switched off: create the password there, and copy it into the field below.",
};
