import { send } from "@/lib/client/api";

/**
 * GETs a zip and hands it to the browser to save; answers its name. What did not come whole is not saved. Throws ApiError
 * when the call is refused, TypeError when there is no network, and an Error when the download breaks off on the way.
 */
export async function downloadZip(url: string): Promise<string> {
  const response = await send("GET", url);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "download.zip";
  const zip = await response.blob().catch((cause: unknown) => {
    throw new Error("The download broke off.", { cause });
  });
  if (!(await isWhole(zip))) throw new Error("The download broke off.");
  save(zip, name);
  return name;
}

/** A zip ends with a record of 22 bytes (APPNOTE 4.3.16): a proxy may have ended a torso as if that were all. */
const END = { length: 22, signature: [0x50, 0x4b, 0x05, 0x06] };

async function isWhole(zip: Blob): Promise<boolean> {
  if (zip.size < END.length) return false;
  const last = new Uint8Array(await zip.slice(-END.length).arrayBuffer());
  return END.signature.every((byte, at) => last[at] === byte);
}

/** Some browsers fetch the address only after the click was handled. */
const KEPT_MS = 60_000;

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
