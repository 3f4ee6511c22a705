import { RotateCw } from "lucide-react";
import Link from "next/link";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { ApiError, detailOf, errorText } from "@/lib/client/api";
import type { ErrorType } from "@/lib/errors";

/** Titles of the errors that the settings can fix. */
const SETTINGS_ERRORS: Partial<Record<ErrorType, string>> = {
  CONNECTION_ERROR: "Connection Error",
  MISSING_CREDENTIALS: "Credentials Required",
};

/** Why the site's categories did not load, and what to do. */
export function CategoriesError({ error, pending, onRetry }: { error: Error; pending: boolean; onRetry: () => void }) {
  const title = error instanceof ApiError && error.type ? SETTINGS_ERRORS[error.type] : undefined;
  const detail = detailOf(error);
  return (
    <Notice live variant="destructive" title={title} className="mt-1.5 px-3 text-sm">
      {errorText(error, "Failed to fetch WordPress categories")}
      {detail ? <p className="mt-1">{detail}</p> : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {title ? (
          <Button asChild size="sm" variant="outline">
            <Link href="/settings">Go to Settings</Link>
          </Button>
        ) : null}
        <Button size="sm" variant="outline" pending={pending} onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          Try again
        </Button>
      </div>
    </Notice>
  );
}
