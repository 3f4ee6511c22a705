"use client";

import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { SiteReport } from "@/components/account/settings/site-report";
import { SiteQuestionNotice } from "@/components/publishing/site-question";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { api, detailOf, errorText } from "@/lib/client/api";
import type { UserOut } from "@/lib/features/account/schema";
import type { ConnectionOut, SiteAnswer } from "@/lib/features/sites/schema";

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
      {unsaved ? null : <TestResult test={test} />}
    </div>
  );
}

/** What a test of a connection has found, and the question which site it has reached. */
export function TestResult({
  test: { data, error, isPending, mutate },
}: {
  test: Pick<UseMutationResult<ConnectionOut, Error, SiteAnswer>, "data" | "error" | "isPending" | "mutate">;
}) {
  return (
    <>
      {data ? <ConnectionResult connection={data} /> : null}
      {data?.question ? <SiteQuestionNotice question={data.question} pending={isPending} onAnswer={mutate} /> : null}
      {error ? (
        <Notice live variant="destructive" title="The connection does not work">
          <p>{errorText(error, "The test could not be run. Please try again.")}</p>
          {detailOf(error) ? <p>{detailOf(error)}</p> : null}
        </Notice>
      ) : null}
    </>
  );
}

function ConnectionResult({ connection: { report, roles, warnings, question } }: { connection: ConnectionOut }) {
  const isReady = warnings.length === 0 && !question;
  const as = roles.length > 0 ? ` as ${roles.join(", ")}` : "";
  return (
    <Notice live variant={warnings.length > 0 ? "warning" : "default"} title={`Connected to ${report.name}${as}`}>
      {isReady ? <p>You can publish to this site.</p> : warnings.map((warning) => <p key={warning}>{warning}</p>)}
      <SiteReport report={report} />
    </Notice>
  );
}
