import nextJest from "next/jest.js";

const createJestConfig = nextJest({ dir: "./" });

// Packages that ship ES modules only: jest on Node 20 loads CommonJS, so these are transformed.
const ESM_ONLY = [
  "@auth",
  "@panva",
  "@seriousme/openapi-schema-validator",
  "@ungap/structured-clone",
  "ccount",
  "character-entities.*",
  "collapse-white-space",
  "comma-separated-tokens",
  "decode-named-character-reference",
  "devlop",
  "estree-util-.*",
  "eventsource-parser",
  "get-east-asian-width",
  "github-slugger",
  "hast-.*",
  "hastscript",
  "html-.*",
  "inngest/components/execution",
  "jose",
  "longest-streak",
  "markdown-it-cjk-friendly",
  "markdown-table",
  "mdast-.*",
  "micromark-.*",
  "oauth4webapi",
  "p-limit",
  "preact.*",
  "property-information",
  "rehype-minify-whitespace",
  "space-separated-tokens",
  "stringify-entities",
  "syllable",
  "trim-lines",
  "trim-trailing-lines",
  "unist-.*",
  "vfile.*",
  "web-namespaces",
  "yocto-queue",
  "zwitch",
];

async function project(config) {
  const built = await createJestConfig({
    testEnvironment: "node",
    moduleNameMapper: {
      // next/jest takes the package's bare name for our own folder of that name and rewrites it.
      "^(?:\\.\\./)+inngest$": "<rootDir>/node_modules/inngest/index.cjs",
      // Its dynamic import is one that jest runs only where it transforms the file.
      "/als\\.cjs$": "<rootDir>/node_modules/inngest/components/execution/als.js",
      "^@node-rs/argon2$": "<rootDir>/tests/support/argon2.cjs",
      "^radix-ui$": "<rootDir>/tests/support/radix-ui.cjs",
      "^lucide-react$": "<rootDir>/tests/support/lucide-react.cjs",
      // zod loads the words of 50 languages; English comes without this.
      "^\\.\\./locales/index\\.cjs$": "<rootDir>/tests/support/empty.ts",
      "^server-only$": "<rootDir>/tests/support/empty.ts",
      "/start-worker$": "<rootDir>/tests/support/start-worker.ts",
      // The editor needs a browser's layout: on screens under jest its plain field stays (use-markdown-editor.tsx).
      "/load-editor$": "<rootDir>/tests/support/load-editor.ts",
      "/start-(?:preview|review|paste)-worker$": "<rootDir>/tests/support/pretended-workers.ts",
      "^@/(.*)$": "<rootDir>/$1",
    },
    setupFiles: ["<rootDir>/tests/support/test-env.ts"],
    setupFilesAfterEnv: ["<rootDir>/tests/support/jest-setup.ts"],
    modulePathIgnorePatterns: ["<rootDir>/.next", "<rootDir>/.data"],
    ...config,
  })();
  return {
    ...built,
    transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY.join("|")})/)`, "^.+\\.module\\.(css|sass|scss)$"],
  };
}

/** npm test leaves out the suites in a folder `thorough`; npm run test:thorough runs them alone (scripts/test-parts.ts). */
function suites(folder) {
  const scope = process.env.TEST_SCOPE;
  return {
    testMatch: [`<rootDir>/tests/${folder}/${scope === "thorough" ? "thorough/" : ""}**/*.test.{ts,tsx}`],
    testPathIgnorePatterns: ["/node_modules/", "/.next/", ...(scope === "main" ? ["/thorough/"] : [])],
  };
}

const database = {
  setupFilesAfterEnv: ["<rootDir>/tests/support/jest-setup.ts", "<rootDir>/tests/support/db-setup.ts"],
  globalSetup: "<rootDir>/tests/support/global-setup.ts",
  globalTeardown: "<rootDir>/tests/support/global-teardown.ts",
};

export default async () => ({
  projects: [
    await project({
      displayName: "unit",
      ...suites("unit"),
      setupFilesAfterEnv: ["<rootDir>/tests/support/jest-setup.ts", "<rootDir>/tests/support/no-actions.ts"],
    }),
    await project({ displayName: "api", ...suites("api"), ...database }),
    await project({ displayName: "wordpress", testMatch: ["<rootDir>/tests/wordpress/**/*.test.ts"], ...database }),
    await project({ displayName: "inngest", testMatch: ["<rootDir>/tests/inngest/**/*.test.ts"] }),
    await project({ displayName: "vercel", testMatch: ["<rootDir>/tests/vercel/**/*.test.ts"] }),
    await project({ displayName: "faults", testMatch: ["<rootDir>/tests/faults/**/*.test.ts"], ...database }),
  ],
});
