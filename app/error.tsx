"use client";

import { PageFailure } from "@/components/shared/page-failure";

export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <main className="page-column py-16">
      <PageFailure error={error} retry={retry} />
    </main>
  );
}
