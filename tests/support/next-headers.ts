import { nextHeaders } from "@/tests/support/action-request";

/** Replaces next/headers for server actions outside Next: see tsconfig.json in this folder. */
export const { cookies, headers } = nextHeaders;
