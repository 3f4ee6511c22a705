import "server-only";
import { createHash } from "node:crypto";
import type { KeyedCall } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { KEY_HEADER } from "@/lib/idempotency/header";

const MAX_KEY = 255;

/** A String of RFC 8941 (printable ASCII in quotes), or, as many clients send it, unquoted without separators or quotes. */
export const KEY_PATTERN = String.raw`^("([ !#-\[\]-~]|\\["\\]){1,${MAX_KEY}}"|[!#-+\--:<-\[\]-~]{1,${MAX_KEY}})$`;
const HEADER = new RegExp(KEY_PATTERN);
/** The length with every character escaped, and the quotes. */
const MAX_HEADER = 2 * MAX_KEY + 2;

/** A key may only be repeated with the same request. The body is the parsed one. */
export type KeyedRequest = { method: string; path: string; query?: unknown; body?: unknown };

/** The key in a header's value, quoted or not. Throws VALIDATION_ERROR. */
export function parseKeyHeader(value: string): string {
  if (value.length > MAX_HEADER || !HEADER.test(value)) throw invalidKey();
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
}

/** The key in a form's hidden field, unquoted. Throws VALIDATION_ERROR. */
export function parseKeyField(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_KEY || !/^[ -~]+$/.test(value)) throw invalidKey();
  return value;
}

export function keyedCall(key: string, { method, path, query, body }: KeyedRequest): KeyedCall {
  const asked = JSON.stringify([method, path, query ?? null, body ?? null]);
  return { key, hash: createHash("sha256").update(asked).digest("base64url") };
}

function invalidKey(): AppError {
  const message = `The ${KEY_HEADER} must be a string of 1 to ${MAX_KEY} printable ASCII characters, in double quotes.`;
  return new AppError("VALIDATION_ERROR", { message });
}
