import "server-only";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppError } from "@/lib/errors";
import type { Failure } from "@/lib/transport/reply";
import { SECURITY_HEADERS } from "@/lib/transport/security-headers";

/**
 * Answers a request that Next never sees: like the API below /api, in plain text elsewhere, which users read and React
 * shows as the failure of a server action.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  const requestId = randomUUID();
  const isApi = /^\/api(?:[/?]|$)/.test(request.url ?? "");
  const failure = { error: error.message, type: error.type, requestId } satisfies Failure;
  response.writeHead(error.status, {
    "content-type": isApi ? "application/json" : "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...SECURITY_HEADERS,
    "x-request-id": requestId,
    ...(error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) }),
  });
  response.end(isApi ? JSON.stringify(failure) : error.message);
}
