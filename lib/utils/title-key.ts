import { fingerprint } from "@/lib/utils/text";
import { textHash } from "@/lib/utils/text-hash";

/** A key that is equal for titles with one fingerprint and always short; "" for a title without letters and digits. */
export function titleKey(title: string): string {
  const print = fingerprint(title);
  return print === "" ? "" : textHash(print);
}
