import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** These are ours; tailwind-merge would take them for colours. */
const merge = extendTailwindMerge({ extend: { theme: { text: ["read"], shadow: ["float"] } } });

/** Joins class names; the later of two conflicting Tailwind classes wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
