import "server-only";
import { AppError } from "@/lib/errors";
import { readBytes } from "@/lib/transport/body";
import { rejectCrossSite } from "@/lib/transport/cross-site";

/** The limit in bytes: Next's serverActions.bodySizeLimit. */
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
    const bytes = await readBytes(request, MAX_FORM);
    if (isMultipart) await requireReadable(bytes, type);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

/** A form without a boundary, or cut short, does not parse. */
async function requireReadable(bytes: Buffer<ArrayBuffer>, type: string): Promise<void> {
  try {
    await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new AppError("VALIDATION_ERROR", { message: "This form could not be read. Load the page again and retry." });
  }
}
