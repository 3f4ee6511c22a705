"use client";

import "@/app/globals.css";
import { PageFailure } from "@/components/shared/page-failure";

/** Shows errors of the root layout as a document of its own, in the system's theme. */
export default function GlobalError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong – Content Planner</title>
        <main className="page-column py-16">
          <PageFailure error={error} retry={retry} />
        </main>
      </body>
    </html>
  );
}
