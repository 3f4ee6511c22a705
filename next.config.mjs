/**
 * For the files that proxy.ts leaves alone, and for the page that answers where there is no such file: it shows nothing of
 * its own from there, in no frame.
 */
const FILE_HEADERS = Object.entries({
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
}).map(([key, value]) => ({ key, value }));

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  serverExternalPackages: ["@node-rs/argon2", "pg", "pino", "undici"],
  // `next dev` would otherwise write instructions into the checkout, and `next build` would look for newer releases.
  agentRules: false,
  experimental: { agentUpgrade: false },
  headers: async () => [
    {
      source: "/:path(_next/static/.*|_next/image|icon\\.svg|favicon\\.ico|manifest\\.webmanifest|robots\\.txt)",
      headers: FILE_HEADERS,
    },
    // A worker lives under the policy of its own file, and this one loads the chunks it is made of.
    {
      source: "/_next/static/chunks/:file(turbopack-worker-.*\\.js)",
      headers: [
        { key: "content-security-policy", value: "default-src 'none'; script-src 'self'; frame-ancestors 'none'" },
      ],
    },
  ],
  // We use no optimised image: this closes the door of one that fetches and converts what an address names.
  images: { unoptimized: true },
  // `next dev` would print what server actions are called with: passwords and keys among it.
  logging: { serverFunctions: false },
};
