import "server-only";
import { AppError } from "@/lib/errors";
import type { KnownKey } from "@/lib/idempotency/sql";

/** The same call is at work. */
export function stillAtWork(): AppError {
  return new AppError("ALREADY_RUNNING", {
    message: "This is still being done. Wait a moment, then try again: you will get its answer.",
  });
}

/** Throws KEY_REUSED where a known key was used for something else. */
export function refuseOtherCall(known: KnownKey | undefined, hash: string): void {
  if (known && known.hash !== hash) throw new AppError("KEY_REUSED");
}
