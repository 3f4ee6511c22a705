import "server-only";
import { AppError } from "@/lib/errors";
import { refuseCrossSite } from "@/lib/transport/origin";

/** What Next takes of a posted form or a server action, in bytes (its serverActions.bodySizeLimit). */
export const MAX_FORM = 1_048_576;

/**
 * Why a POST to a page is refused, or undefined: it comes from another site (403), is larger than Next takes (413), or is
 * a form that cannot be read (400). Next would answer each of them with 500.
 */
export async function refusedPost(request: Request): Promise<{ error: AppError } | undefined> {
  try {
    refuseCrossSite(request.headers);
    const type = request.headers.get("content-type") ?? "";
    const isMultipart = /^multipart\/form-data\b/i.test(type);
    const length = request.headers.get("content-length");
    if (Number(length ?? 0) > MAX_FORM) throw new AppError("PAYLOAD_TOO_LARGE");
    // With its length said, and of another type, there is nothing to read it for.
    if (length === null || isMultipart) {
      const bytes = await readForm(request);
      if (isMultipart) await requireReadable(bytes, type);
    }
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

/** Without a boundary, or cut short, it is no form. */
async function requireReadable(bytes: Buffer<ArrayBuffer>, type: string): Promise<void> {
  try {
    await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new AppError("VALIDATION_ERROR", { message: "This form could not be read. Load the page again and retry." });
  }
}
