"use client";

import { RotateCw } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { detailOf, errorText, referenceOf } from "@/lib/client/api";

/** Something did not load: what happened and a way to try again. `title` is the call's fallback sentence. */
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
    <Alert
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
    </Alert>
  );
}
