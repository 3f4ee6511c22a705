/** Headers of what proxy.ts skips, and of the page that answers when such a file is missing. */
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
  // This is only for `npm run build -- --standalone`: `next start` does not serve such a build.
  ...(process.env.BUILD_STANDALONE === "1" ? { output: "standalone" } : {}),
  serverExternalPackages: [
    ...["@node-rs/argon2", "pg", "pino", "undici"],
    // Turbopack would put a copy of them into each route: loaded once, they save 50 MB and a seventh of the build.
    ...["inngest", "openai", "zod"],
    // They hook into what Node.js loads, so they must not be bundled.
    ...["instrumentation-pg", "instrumentation-runtime-node", "instrumentation-undici"].map(
      (name) => `@opentelemetry/${name}`,
    ),
    ...[
      "api",
      "exporter-trace-otlp-http",
      "exporter-trace-otlp-proto",
      "sdk-metrics",
      "sdk-node",
      "sdk-trace-base",
    ].map((name) => `@opentelemetry/${name}`),
  ],
  // Without this, `next dev` writes instructions into the checkout and `next build` looks for newer releases.
  agentRules: false,
  turbopack: {
    // The package's browser build needs a DOM, which the paste worker does not have.
    resolveAlias: {
      "decode-named-character-reference": "./node_modules/decode-named-character-reference/index.js",
    },
  },
  // In production nothing reads source maps, and they take a seventh of the build.
  experimental: { agentUpgrade: false, turbopackSourceMaps: process.env.NODE_ENV !== "production" },
  headers: async () => [
    {
      source:
        "/:path(_next/static/.*|_next/image|icon\\.svg|favicon\\.ico|manifest\\.webmanifest|robots\\.txt|wordpress/content-planner-fields\\.php)",
      headers: FILE_HEADERS,
    },
    { source: "/api/inngest", headers: [...FILE_HEADERS, { key: "cache-control", value: "no-store" }] },
    // A worker obeys the policy of its own file, and this one loads its chunks.
    {
      source: "/_next/static/chunks/:file(turbopack-worker-.*\\.js)",
      headers: [
        { key: "content-security-policy", value: "default-src 'none'; script-src 'self'; frame-ancestors 'none'" },
      ],
    },
  ],
  // npm run check checks the types.
  typescript: { ignoreBuildErrors: true },
  // We serve no optimised images; this closes the endpoint that fetches and converts any URL.
  images: { unoptimized: true },
  // `next dev` would print the arguments of server actions, and the address to which WordPress sends a password.
  logging: { serverFunctions: false, incomingRequests: { ignore: [/^\/api\/wordpress\/connected\//] } },
};
