import "server-only";
import type { z } from "zod";
import type { NewSession } from "@/lib/auth/sessions";
import { AppError, type ErrorType } from "@/lib/errors";
import { log } from "@/lib/log";
import { isDatabaseAway, isParentGone } from "@/lib/utils/database";
import { sentencesOf } from "@/lib/utils/zod-sentences";

/** What a failed request answers. `details` of the error stand beside these members. */
export type Failure = {
  error: string;
  type: ErrorType;
  fields?: Record<string, string[]>;
  requestId: string;
};

type ReplyOptions = {
  status?: number;
  headers?: Record<string, string>;
  /** A session that begins or ends. */
  session?: NewSession | "ended";
  /** The value of the cookie by which this browser is known from now on (see lib/auth/device-cookie.ts). */
  device?: string;
};

/** An answer that is more than its data. */
export class Reply<T> {
  constructor(
    readonly data: T,
    readonly options: ReplyOptions = {},
  ) {}
}

/** The one error mapping: whatever was thrown becomes an AppError; what we did not expect is logged and INTERNAL. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) {
    if (error.status >= 500 || error.cause) log.warn({ err: error, requestId, type: error.type }, "request failed");
    return error;
  }
  if (isDatabaseAway(error)) {
    log.error({ err: error, requestId }, "database not reachable");
    return new AppError("SERVICE_UNAVAILABLE", { cause: error, retryAfter: 5 });
  }
  if (isParentGone(error)) return new AppError("NOT_FOUND", { cause: error });
  log.error({ err: error, requestId }, "unexpected failure");
  return new AppError("INTERNAL", { cause: error });
}

export function failureOf(error: AppError, requestId: string): Failure & Record<string, unknown> {
  return {
    ...error.details,
    error: error.message,
    type: error.type,
    ...(error.fields ? { fields: error.fields } : {}),
    requestId,
  };
}

/** A failed zod parse as VALIDATION_ERROR with one list of sentences a field. */
export function validationError(error: z.ZodError): AppError {
  const { fields, first } = sentencesOf(error.issues);
  return new AppError("VALIDATION_ERROR", { fields, ...(first ? { message: first } : {}) });
}
