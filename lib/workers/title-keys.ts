import { keysOf } from "@/lib/utils/title-key";

/** The keys of each line, one a line. The lines are Base64 of UTF-8, which a thread that asks a worker need not decode. */
export function titleKeys(encoded: string): string {
  return Buffer.from(encoded, "base64").toString().split("\n").flatMap(keysOf).join("\n");
}
