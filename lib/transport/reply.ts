import "server-only";
import type { z } from "zod";
import type { NewSession } from "@/lib/auth/sessions";
import { isDatabaseUnavailable, isForeignKeyViolation } from "@/lib/db/errors";
import { AppError, type ErrorType } from "@/lib/errors";
import { log } from "@/lib/log";
import { fieldMessages } from "@/lib/utils/zod-sentences";

/** The body of a failed request; `details` of the error are merged in. */
export type Failure = {
  error: string;
  type: ErrorType;
  fields?: Record<string, string[]>;
  requestId: string;
};

type ReplyOptions = {
  status?: number;
  headers?: Record<string, string>;
  session?: NewSession | "ended";
  /** The new device cookie (see lib/auth/device-cookie.ts). */
  device?: string;
};

/** A response with headers or cookies. */
export class Reply<T> {
  constructor(
    readonly data: T,
    readonly options: ReplyOptions = {},
  ) {}
}

/** The only error mapping: unexpected errors are logged and become INTERNAL. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) {
    if (error.status >= 500 || error.cause) log.warn({ err: error, requestId, type: error.type }, "request failed");
    return error;
  }
  if (isDatabaseUnavailable(error)) {
    log.error({ err: error, requestId }, "database not reachable");
    return new AppError("SERVICE_UNAVAILABLE", { cause: error, retryAfter: 5 });
  }
  if (isForeignKeyViolation(error)) return new AppError("NOT_FOUND", { cause: error });
  log.error({ err: error, requestId }, "unexpected failure");
  return new AppError("INTERNAL", { cause: error });
}

export function failureBody(error: AppError, requestId: string): Failure & Record<string, unknown> {
  return {
    ...error.details,
    error: error.message,
    type: error.type,
    ...(error.fields ? { fields: error.fields } : {}),
    requestId,
  };
}

export function validationError(error: z.ZodError): AppError {
  const { fields, first } = fieldMessages(error.issues);
  return new AppError("VALIDATION_ERROR", { fields, ...(first ? { message: first } : {}) });
}
