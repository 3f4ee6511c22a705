import "server-only";
import { AppError } from "@/lib/errors";
import { whileAway } from "@/lib/limits/place";
import { rejectCrossSite } from "@/lib/transport/cross-site";

/** In bytes: Next's serverActions.bodySizeLimit. */
export const MAX_FORM = 1_048_576;

/**
 * Rejects a POST to a page that is cross-site (403), larger than Next accepts (413) or an unreadable form (400). Next
 * would answer each with 500.
 */
export async function checkPagePost(request: Request): Promise<{ error: AppError } | undefined> {
  try {
    rejectCrossSite(request.headers);
    const type = request.headers.get("content-type") ?? "";
    const isMultipart = /^multipart\/form-data\b/i.test(type);
    const length = request.headers.get("content-length");
    if (Number(length ?? 0) > MAX_FORM) throw new AppError("PAYLOAD_TOO_LARGE");
    // Read here, away from the place that Next would hold while a slow client sends.
    const bytes = await whileAway(() => readForm(request));
    if (isMultipart) await requireReadable(bytes, type);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

async function readForm(request: Request): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_FORM) throw new AppError("PAYLOAD_TOO_LARGE");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A form without a boundary, or cut short, does not parse. */
async function requireReadable(bytes: Buffer<ArrayBuffer>, type: string): Promise<void> {
  try {
    await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new AppError("VALIDATION_ERROR", { message: "This form could not be read. Load the page again and retry." });
  }
}
