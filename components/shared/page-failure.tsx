"use client";

import { MessagePage } from "@/components/shared/message-page";
import { Button } from "@/components/ui/button";

/** Shown for a page that crashed: what is safe, what to do next, and the request id to find the error in the server's log. */
export function PageFailure({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <MessagePage
      heading="Something went wrong"
      title="This page could not be shown."
      description={
        <>
          What you saved before is safe. Try again; if it keeps happening, contact the operator of this server
          {error.digest ? (
            <>
              {" "}
              with the request id <code className="font-sans text-foreground tabular-nums">{error.digest}</code>
            </>
          ) : (
            " and say when it happened"
          )}
          .
        </>
      }
      action={
        <div className="flex flex-wrap gap-2">
          <Button onClick={retry}>Try again</Button>
          <Button asChild variant="outline">
            {/* A full page load: the app's state may be the cause. */}
            <a href="/">Go to Home</a>
          </Button>
        </div>
      }
    />
  );
}
