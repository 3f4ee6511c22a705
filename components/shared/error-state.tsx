"use client";

import { RotateCw } from "lucide-react";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { detailOf, errorText, referenceOf } from "@/lib/client/api";

/** Says why data did not load, with a retry button. `title` is the sentence used if the error has none. */
export function ErrorState({
  title = "This did not load",
  error,
  onRetry,
  pending = false,
}: {
  title?: string;
  error: unknown;
  onRetry: () => void;
  pending?: boolean;
}) {
  const reference = referenceOf(error);
  const detail = detailOf(error);
  return (
    <Notice
      live
      variant="destructive"
      title={title}
      action={
        <Button variant="outline" size="sm" pending={pending} onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          Try again
        </Button>
      }
    >
      {errorText(error, "The server did not answer as expected. Nothing was changed.")}
      {detail ? <span className="mt-1 block">{detail}</span> : null}
      {reference ? <span className="mt-1 block text-sm">Reference: {reference}</span> : null}
    </Notice>
  );
}
