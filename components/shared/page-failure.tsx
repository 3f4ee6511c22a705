"use client";

import { EmptyState } from "@/components/shared/empty-state";
import { Button } from "@/components/ui/button";

/** A page that broke: what is safe, how to go on, and the number under which the server has noted it. */
export function PageFailure({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <>
      <h1 className="mb-8 font-medium font-serif text-xl tracking-[-0.011em]">Something went wrong</h1>
      <EmptyState
        title="This page could not be shown."
        description={
          <>
            What you saved before is safe. Try again; if it keeps happening, tell whoever runs this server
            {error.digest ? (
              <>
                {" "}
                the request id <code className="font-sans text-foreground tabular-nums">{error.digest}</code>
              </>
            ) : (
              " when it happened"
            )}
            .
          </>
        }
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={retry}>Try again</Button>
            <Button asChild variant="outline">
              {/* A full load: the app's state may be what broke. */}
              <a href="/">Go to Home</a>
            </Button>
          </div>
        }
      />
    </>
  );
}
