import { RotateCw } from "lucide-react";
import Link from "next/link";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { ApiError, detailOf, errorText } from "@/lib/client/api";
import type { ErrorType } from "@/lib/errors";

/** What the settings can mend, with the title that such a failure has everywhere. */
const OF_THE_SETTINGS: Partial<Record<ErrorType, string>> = {
  CONNECTION_ERROR: "Connection Error",
  MISSING_CREDENTIALS: "Credentials Required",
};

/** Why the site's categories are not there, and the ways on. */
export function CategoriesError({ error, pending, onRetry }: { error: Error; pending: boolean; onRetry: () => void }) {
  const title = error instanceof ApiError && error.type ? OF_THE_SETTINGS[error.type] : undefined;
  const detail = detailOf(error);
  return (
    <Alert live variant="destructive" title={title} className="mt-1.5 px-3 text-sm">
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
    </Alert>
  );
}
