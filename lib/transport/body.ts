import "server-only";
import { AppError } from "@/lib/errors";
import { hasMoreValues } from "@/lib/utils/json-values";

/** A JSON body's size, in bytes; the PATCH of a content piece may be larger. */
export const MAX_BODY = 1_048_576;
export const MAX_CONTENT_BODY = 4 * MAX_BODY;

/** The text of a JSON body up to `max` bytes; empty when there is none. */
export async function readBody(request: Request, max: number): Promise<string> {
  const raw = await readText(request, max);
  if (raw !== "" && !isJson(request.headers.get("content-type") ?? "")) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  return raw;
}

/** Many times what the largest of our bodies has, a list of a hundred keywords. */
const MOST_VALUES = 10_000;

/** Undefined for an empty body. */
export function parseJson(raw: string, most = MOST_VALUES): unknown {
  if (raw === "") return undefined;
  if (hasMoreValues(raw, most)) {
    throw new AppError("VALIDATION_ERROR", { message: "The request body has too many values. Send fewer of them." });
  }
  try {
    return JSON.parse(raw);
  } catch {
    throw new AppError("VALIDATION_ERROR", { message: "The request body is not valid JSON." });
  }
}

/** A form of another site can send text/plain or a form's types, never JSON: refused also where no body is read. */
export function refuseOtherMediaTypes(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== null && !isJson(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}

async function readText(request: Request, max: number): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > max) throw new AppError("PAYLOAD_TOO_LARGE");
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A length can be absent or a lie: count what really comes.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > max) throw new AppError("PAYLOAD_TOO_LARGE");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
