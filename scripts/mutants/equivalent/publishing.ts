import type { Equivalent } from "@/scripts/mutants/equivalent/equivalent";

export const PUBLISHING: Equivalent[] = [
  {
    file: "lib/features/publishing/client.ts",
    from: "const [, bulk, runProject] = mutationKey ?? [];",
    to: "const [, bulk, runProject] = (mutationKey);",
    reason: "The filter next to it only finds mutations with a key.",
  },
  {
    file: "lib/features/publishing/client.ts",
    from: "const error = new ApiError(0, first.error, true, first.type, {}, { detail: first.detail });",
    to: "const error = new ApiError(1, first.error, true, first.type, {}, { detail: first.detail });",
    reason: "Notifications do not show the status, and no code looks for 0 or 1.",
  },
  {
    file: "lib/wordpress/json.ts",
    from: "if (++seen > MAX_OPENINGS || body.length - index <= longest.length) break;",
    to: "if (++seen > MAX_OPENINGS || body.length - index < longest.length) break;",
    reason: "A value of the same length is not parsed either; it only ends later.",
  },
  {
    file: "lib/wordpress/page-failures.ts",
    from: "if (status < 400) return null;",
    to: "if (status < 399) return null;",
    reason: "A redirect was answered before.",
  },
  {
    file: "lib/wordpress/request.ts",
    from: "if (response.status >= 200 && response.status < 300 && json !== undefined) {",
    to: "if (response.status >= 199 && response.status < 300 && json !== undefined) {",
    reason: "No response has a status below 200.",
  },
  {
    file: "lib/wordpress/schema.ts",
    from: "const name = z.string().transform((value) => storableUpTo(decodeEntities(value.slice(0, 10 * NAME_MAX)), NAME_MAX));",
    to: "const name = z.string().transform((value) => storableUpTo(decodeEntities(value.slice(0, 11 * NAME_MAX)), NAME_MAX));",
    reason: "No reference is longer than ten characters, so that the first 2,000 have all that is kept.",
  },
];
