import { nextHeaders } from "@/tests/support/action-request";

/** In place of next/headers, for server actions outside of Next: see tsconfig.json here. */
export const { cookies, headers } = nextHeaders;
