import { send } from "@/lib/client/api";
import { noteCall } from "@/lib/client/presses";

/**
 * GETs a zip and lets the browser save it; returns its name. A plain link would save an incomplete file; this does not.
 * Throws ApiError when the call is refused, TypeError without a network, and Error when the download breaks off.
 */
export async function downloadZip(url: string): Promise<string> {
  // Two of the same file help nobody.
  noteCall();
  const response = await send("GET", url);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "download.zip";
  const zip = await response.blob().catch((cause: unknown) => {
    throw new Error("The download broke off.", { cause });
  });
  if (!(await isComplete(zip))) throw new Error("The download broke off.");
  save(zip, name);
  return name;
}

/** A zip ends with a record of 22 bytes (APPNOTE 4.3.16). A proxy may end a truncated response as if it were complete. */
const END = { length: 22, signature: [0x50, 0x4b, 0x05, 0x06] };

async function isComplete(zip: Blob): Promise<boolean> {
  if (zip.size < END.length) return false;
  const last = new Uint8Array(await zip.slice(-END.length).arrayBuffer());
  return END.signature.every((byte, at) => last[at] === byte);
}

/** Some browsers read the URL only after the click was handled. */
const REVOKE_AFTER_MS = 60_000;

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
