import "server-only";
import { configure, TextReader, ZipWriter } from "@zip.js/zip.js";
import { log } from "@/lib/log";

// Web workers exist in browsers only.
configure({ useWebWorkers: false });

/** What a zip is sent as when this alone is accepted: generated clients know it rather than application/zip. */
export const OCTETS = "application/octet-stream";

type ZippedFile = { path: string; text: string | AsyncIterable<string> };

/**
 * Streams a zip: each file, or part of a file, is read after the previous one was sent, so a large archive is never in memory.
 * A failure aborts the download: half a zip must not look complete.
 */
export function zipResponse(
  files: AsyncIterable<ZippedFile>,
  name: string,
  request: Request,
  requestId: string,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  write(files, writable).catch(async (error: unknown) => {
    log.warn({ err: error, requestId }, "aborted a download");
    await writable.abort(error).catch(() => undefined);
  });
  return new Response(readable, {
    headers: {
      "content-type": request.headers.get("accept") === OCTETS ? OCTETS : "application/zip",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
  });
}

async function write(files: AsyncIterable<ZippedFile>, out: WritableStream<Uint8Array>) {
  const zip = new ZipWriter(out);
  for await (const { path, text } of files)
    await zip.add(path, typeof text === "string" ? new TextReader(text) : streamOf(text));
  await zip.close();
}

/** Every chunk passes six streams, which leave 50 KB of garbage: rows are sent together. */
const CHUNK_LENGTH = 65_536;

function streamOf(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const rest = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(out) {
      let text = "";
      let part = await rest.next();
      for (; !part.done; part = await rest.next()) {
        text += part.value;
        if (text.length >= CHUNK_LENGTH) break;
      }
      if (text) out.enqueue(encoder.encode(text));
      if (part.done) out.close();
    },
    async cancel() {
      await rest.return?.();
    },
  });
}
