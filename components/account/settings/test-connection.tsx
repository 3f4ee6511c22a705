"use client";

import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { SiteQuestionNotice } from "@/components/publishing/site-question";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { api, detailOf, errorText } from "@/lib/client/api";
import type { UserOut } from "@/lib/features/account/schema";
import type { ConnectionOut, SiteAnswer } from "@/lib/features/publishing/schema";

/**
 * Signs in to the saved site and shows the result; writes nothing there. If the site may be one that was connected before, it
 * asks which.
 */
export function TestConnection({ user, unsaved }: { user: UserOut; unsaved: boolean }) {
  const reasonId = useId();
  const test = useMutation({
    mutationFn: (site?: SiteAnswer) => api<ConnectionOut>("POST", "/api/wordpress/test", ...(site ? [{ site }] : [])),
  });
  const isComplete = Boolean(user.wordpressUrl && user.wordpressUsername && user.hasWordpressPassword);
  const reason = unsaved
    ? "Save your changes first: the test uses what is saved."
    : isComplete
      ? "Signs in to your site and reads your role there. Nothing is written."
      : "Save URL, username and password first.";

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <Button
          variant="outline"
          disabled={unsaved || !isComplete}
          aria-describedby={reasonId}
          pending={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Test connection
        </Button>
        <p id={reasonId} className="min-w-0 flex-1 basis-60 text-muted-foreground text-sm">
          {reason}
        </p>
      </div>
      {test.data && !unsaved ? <ConnectionResult connection={test.data} /> : null}
      {test.data?.question && !unsaved ? (
        <SiteQuestionNotice question={test.data.question} pending={test.isPending} onAnswer={test.mutate} />
      ) : null}
      {test.error && !unsaved ? (
        <Notice live variant="destructive" title="The connection does not work">
          <p>{errorText(test.error, "The test could not be run. Please try again.")}</p>
          {detailOf(test.error) ? <p>{detailOf(test.error)}</p> : null}
        </Notice>
      ) : null}
    </div>
  );
}

function ConnectionResult({ connection: { site, roles, warnings, question } }: { connection: ConnectionOut }) {
  const isReady = warnings.length === 0 && !question;
  const as = roles.length > 0 ? ` as ${roles.join(", ")}` : "";
  return (
    <Notice live variant={warnings.length > 0 ? "warning" : "default"} title={`Connected to ${site}${as}`}>
      {isReady ? "You can publish to this site." : warnings.map((warning) => <p key={warning}>{warning}</p>)}
    </Notice>
  );
}
