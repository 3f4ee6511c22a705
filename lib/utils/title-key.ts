import { fingerprint } from "@/lib/utils/text";
import { textHash } from "@/lib/utils/text-hash";

/** Equal for titles with one fingerprint, and short whatever the title; "" for one without letters and digits. */
export function titleKey(title: string): string {
  const print = fingerprint(title);
  return print === "" ? "" : textHash(print);
}
