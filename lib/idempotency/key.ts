import "server-only";
import { createHash } from "node:crypto";
import type { KeyedCall } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { KEY_HEADER } from "@/lib/utils/idempotency-key";

const MAX_KEY = 255;

/**
 * A String of RFC 8941: printable ASCII in quotes, `"` and `\` escaped. Or what many clients send instead: the characters
 * alone, none of which divides or quotes.
 */
export const KEY_PATTERN = String.raw`^("([ !#-\[\]-~]|\\["\\]){1,${MAX_KEY}}"|[!#-+\--:<-\[\]-~]{1,${MAX_KEY}})$`;
const HEADER = new RegExp(KEY_PATTERN);
/** Every character escaped, and the quotes. */
const MAX_HEADER = 2 * MAX_KEY + 2;

/** What is asked for with a key: the same key for anything else is refused. The body as parsed. */
export type Asked = { method: string; path: string; query?: unknown; body?: unknown };

/** The key in a header's value, quoted or bare. Throws VALIDATION_ERROR. */
export function keyOfHeader(value: string): string {
  if (value.length > MAX_HEADER || !HEADER.test(value)) throw badKey();
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
}

/** The key in a form's hidden field, which has no quotes. Throws VALIDATION_ERROR. */
export function keyOfField(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_KEY || !/^[ -~]+$/.test(value)) throw badKey();
  return value;
}

export function keyedCall(key: string, { method, path, query, body }: Asked): KeyedCall {
  const asked = JSON.stringify([method, path, query ?? null, body ?? null]);
  return { key, hash: createHash("sha256").update(asked).digest("base64url") };
}

function badKey(): AppError {
  const message = `The ${KEY_HEADER} must be a string of 1 to ${MAX_KEY} printable ASCII characters, in double quotes.`;
  return new AppError("VALIDATION_ERROR", { message });
}
