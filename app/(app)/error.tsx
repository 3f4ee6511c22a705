"use client";

import { PageFailure } from "@/components/shared/page-failure";

/** Inside the shell, so that the way to the other pages stays. */
export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return <PageFailure error={error} retry={retry} />;
}
