import "server-only";
import { AppError } from "@/lib/errors";
import { hasMoreJsonValues } from "@/lib/utils/json-values";

/** The limits in bytes. Only the PATCH of a piece may send the larger one. */
export const MAX_BODY = 1_048_576;
export const MAX_CONTENT_BODY = 4 * MAX_BODY;
/** The limit of a call that anyone may make. */
export const MAX_OPEN_BODY = 65_536;

/** Returns an empty text when there is no body. */
export async function readBody(request: Request, max: number): Promise<string> {
  const raw = (await readBytes(request, max)).toString("utf8");
  if (raw !== "" && !isJson(request.headers.get("content-type"))) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  return raw;
}

/** Many times our largest body, a list of a hundred keywords. */
const MAX_VALUES = 10_000;

export function parseJson(raw: string, max = MAX_VALUES): unknown {
  if (raw === "") return undefined;
  if (hasMoreJsonValues(raw, max)) {
    throw new AppError("VALIDATION_ERROR", { message: "The request body has too many values. Send fewer of them." });
  }
  try {
    return JSON.parse(raw);
  } catch {
    throw new AppError("VALIDATION_ERROR", { message: "The request body is not valid JSON." });
  }
}

/**
 * A form on another site can send text/plain or form types, never JSON, so this check applies even where no body is
 * read.
 */
export function requireJsonContentType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== null && !isJson(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
}

function isJson(contentType: string | null): boolean {
  return /^application\/json\s*(;|$)/i.test(String(contentType));
}

/** Reads a body of at most `max` bytes. Throws PAYLOAD_TOO_LARGE, and VALIDATION_ERROR if its sender went away. */
export async function readBytes(request: Request, max: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > max) throw new AppError("PAYLOAD_TOO_LARGE");
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Content-Length can be missing or wrong: count the bytes.
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > max) throw new AppError("PAYLOAD_TOO_LARGE");
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Its code is ECONNRESET, which would be taken for the database's.
    throw new AppError("VALIDATION_ERROR", { message: "The request body broke off. Send it again." });
  }
  return Buffer.concat(chunks);
}
