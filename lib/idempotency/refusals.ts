import "server-only";
import { AppError } from "@/lib/errors";
import type { KeyRecord } from "@/lib/idempotency/sql";

export function callInProgress(): AppError {
  return new AppError("ALREADY_RUNNING", {
    message: "This is still running. Wait a moment, then try again to get its answer.",
  });
}

/** Throws KEY_REUSED when the key was used for another request. */
export function assertSameCall(known: KeyRecord | undefined, hash: string): void {
  if (known && known.hash !== hash) throw new AppError("KEY_REUSED");
}
