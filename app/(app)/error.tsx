"use client";

import { PageFailure } from "@/components/shared/page-failure";

/** Renders within the shell, so that the navigation still works. */
export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return <PageFailure error={error} retry={retry} />;
}
