import { env } from "@/lib/env";

const isHttps = env.APP_URL.startsWith("https:");

/** The headers of every answer, besides the content security policy of pages (proxy.ts). */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  ...(isHttps ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
};
