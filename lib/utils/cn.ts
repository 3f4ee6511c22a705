import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** `text-read` and `shadow-float` are ours: without being named they would be taken for colours. */
const merge = extendTailwindMerge({ extend: { theme: { text: ["read"], shadow: ["float"] } } });

/** Joins class names; of two Tailwind classes that set the same property the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
