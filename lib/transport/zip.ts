import "server-only";
import { configure, TextReader, ZipWriter } from "@zip.js/zip.js";
import { log } from "@/lib/log";

// A server has its own threads; workers of the browser's kind are not for it.
configure({ useWebWorkers: false });

/**
 * An answer that is one zip, written while it is sent: a file is read when the one before it has gone out, so that a large
 * archive is never in memory. A failure on the way breaks the download off: half a zip must not look like a whole one.
 */
export function zipResponse(
  files: AsyncIterable<{ path: string; text: string }>,
  name: string,
  requestId: string,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  write(files, writable).catch(async (error: unknown) => {
    log.warn({ err: error, requestId }, "a download was broken off");
    await writable.abort(error).catch(() => undefined);
  });
  return new Response(readable, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
  });
}

async function write(files: AsyncIterable<{ path: string; text: string }>, out: WritableStream<Uint8Array>) {
  const zip = new ZipWriter(out);
  for await (const { path, text } of files) await zip.add(path, new TextReader(text));
  await zip.close();
}
