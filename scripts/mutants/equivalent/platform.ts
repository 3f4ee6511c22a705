import type { Equivalent } from "@/scripts/mutants/equivalent/equivalent";

export const PLATFORM: Equivalent[] = [
  {
    file: "lib/auth/adapter.ts",
    from: "...base,",
    to: "...{},",
    reason: "The base's other methods are for sign-ins by e-mail and JWT sessions, which we do not offer.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: 'return createHmac("sha256", key()).update(text).digest("base64url").slice(0, 22);',
    to: 'return createHmac("sha256", key()).update(text).digest("base64url").slice(1, 22);',
    reason: "Any 21 letters of an HMAC tell accounts apart.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: 'return createHmac("sha256", key()).update(text).digest("base64url").slice(0, 22);',
    to: 'return createHmac("sha256", key()).update(text).digest("base64url").slice(0, 23);',
    reason: "Any 21 letters of an HMAC tell accounts apart.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: 'return createHmac("sha256", key()).update(text).digest("base64url").slice(0, 22);',
    to: 'return createHmac("sha256", key()).update(text).digest("base64url").slice(0, 21);',
    reason: "Any 21 letters of an HMAC tell accounts apart.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: `return shortHmac(\`proof\\0\${id}\\0\${password ?? ""}\`);`,
    to: `return shortHmac(\`proof\\0\${id}\\0\${(password)}\`);`,
    reason: "No hash is spelled like the null that stands for none then.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: `.update(\`device-cookie\\0\${env.AUTH_SECRET ?? "local"}\`)`,
    to: `.update(\`device-cookie\\0\${(env.AUTH_SECRET)}\`)`,
    reason: "Only a server without a secret takes the other half, and then both are constants.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: "if (cookie.length > MAX_LENGTH) return [];",
    to: "if (cookie.length >= MAX_LENGTH) return [];",
    reason: "Ours take 900 characters at most: a character more or less does not matter.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: "const MAX_LENGTH = 2_000;",
    to: "const MAX_LENGTH = 2001;",
    reason: "Ours take 900 characters at most: a character more or less does not matter.",
  },
  {
    file: "lib/auth/device-cookie.ts",
    from: "const MAX_LENGTH = 2_000;",
    to: "const MAX_LENGTH = 1999;",
    reason: "Ours take 900 characters at most: a character more or less does not matter.",
  },
  {
    file: "lib/auth/google-intent.ts",
    from: `.update(\`google-intent\\0\${env.AUTH_SECRET ?? "local"}\`)`,
    to: `.update(\`google-intent\\0\${(env.AUTH_SECRET)}\`)`,
    reason: "Only a server without a secret takes the other half, and then both are constants.",
  },
  {
    file: "lib/auth/id-token.ts",
    from: "const published = createRemoteJWKSet(new URL(env.FIREBASE_JWKS_URL), { timeoutDuration: 5_000 });",
    to: "const published = createRemoteJWKSet(new URL(env.FIREBASE_JWKS_URL), { timeoutDuration: 5001 });",
    reason: "A millisecond of a time-out.",
  },
  {
    file: "lib/auth/id-token.ts",
    from: "const published = createRemoteJWKSet(new URL(env.FIREBASE_JWKS_URL), { timeoutDuration: 5_000 });",
    to: "const published = createRemoteJWKSet(new URL(env.FIREBASE_JWKS_URL), { timeoutDuration: 4999 });",
    reason: "A millisecond of a time-out.",
  },
  {
    file: "lib/auth/id-token.ts",
    from: "const { sub, email, email_verified, auth_time = 0 } = parsed.data;",
    to: "const { sub, email, email_verified, auth_time = 1 } = parsed.data;",
    reason: "Any time in the past will do.",
  },
  {
    file: "lib/limits/rate-limits.ts",
    from: "if (hits.length === 0) return;",
    to: ";",
    reason: "Refunding none changes no row; the condition saves the statement.",
  },
  {
    file: "lib/limits/rate-limits.ts",
    from: 'return createHmac("sha256", env.AUTH_SECRET ?? "local")',
    to: 'return createHmac("sha256", (env.AUTH_SECRET))',
    reason: "Only a server without a secret takes the other half, and then both are constants.",
  },
  {
    file: "lib/limits/storage-quota.ts",
    from: 'const [, seconds = "60"] = /wait (\\d+) s/.exec((error as Error).message) ?? [];',
    to: 'const [, seconds = "60"] = (/wait (\\d+) s/.exec((error as Error).message));',
    reason: "take_room() always names the seconds; the fallback is for the compiler.",
  },
  {
    file: "lib/net/safe-fetch.ts",
    from: "const CONNECT_TIMEOUT_MS = 5_000;",
    to: "const CONNECT_TIMEOUT_MS = 5001;",
    reason: "Nobody can tell a millisecond more or less of waiting for a connection.",
  },
  {
    file: "lib/net/safe-fetch.ts",
    from: "const CONNECT_TIMEOUT_MS = 5_000;",
    to: "const CONNECT_TIMEOUT_MS = 4999;",
    reason: "Nobody can tell a millisecond more or less of waiting for a connection.",
  },
  {
    file: "lib/transport/reply.ts",
    from: 'if (error.status >= 500 || error.cause) log.warn({ err: error, requestId, type: error.type }, "request failed");',
    to: 'if (error.status >= 499 || error.cause) log.warn({ err: error, requestId, type: error.type }, "request failed");',
    reason: "No failure has the status 499.",
  },
];
