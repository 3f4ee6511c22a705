/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  serverExternalPackages: ["@node-rs/argon2", "pg", "pino", "undici"],
  // `next dev` would otherwise write instructions into the checkout, and `next build` would look for newer releases.
  agentRules: false,
  experimental: { agentUpgrade: false },
  // `next dev` would print what server actions are called with: passwords and keys among it.
  logging: { serverFunctions: false },
};
