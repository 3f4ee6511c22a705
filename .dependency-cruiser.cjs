/**
 * Who may import whom: kept here and nowhere else.
 * app → components → lib; inngest → lib; lib/features: assistant, own-data, deletion → publishing, generation, search → work, content → sites →
 * topics → projects → instructions → account → platform → ground.
 */
const GROUND = "^lib/(env|errors|log)\\.ts$|^lib/utils/";
/** Pure files of the platform, which the browser and a feature's shared files may import too. */
const PURE =
  "^lib/(ai/prompts/(lead|markdown)|idempotency/header|transport/(form-state|paths|generated/operations)|wordpress/site-address)\\.ts$";
/** A feature's folder, or that of one of its sub-nouns (`account/reset`). */
const ROOM = "(?:[^/]+|account/[^/]+|sites/connecting)/";
const BROWSER_SIDE = `^components/|^lib/client/|^lib/features/${ROOM}client(\\.tsx?$|/)`;

/** Each feature may know the ones before it, not those after. */
const LADDER = [
  // A person's own data is everything: its export knows every other feature, as deletion does.
  ["account/(?!own-data/)"],
  ["instructions/"],
  ["projects/"],
  ["topics/"],
  ["sites/"],
  ["content/", "work/"],
  ["generation/", "publishing/", "search/"],
  ["assistant/", "account/own-data/", "deletion/"],
];
const upwards = LADDER.slice(0, -1).map((rung, index) => ({
  name: `features-look-down-${rung.join("-").replace(/[^a-z]+/g, "-")}`,
  severity: "error",
  comment: "A feature knows only those below it.",
  from: { path: `^lib/features/(${rung.join("|")})` },
  to: {
    path: `^lib/features/(${LADDER.slice(index + 1)
      .flat()
      .join("|")})`,
  },
}));

// dependency-cruiser reads TypeScript through swc but never tells it that a .tsx file holds JSX.
const swc = require("@swc/core");
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => parseFile(file, { ...options, tsx: file.endsWith(".tsx") });

module.exports = {
  required: [
    {
      name: "schemas-configure-zod-first",
      severity: "error",
      comment: "The browser reads schemas too, and its policy blocks what zod does without our configuration.",
      module: { path: "^lib/features/.*schema\\.ts$" },
      to: { path: "^lib/utils/zod-config\\.ts$", reachable: true },
    },
  ],
  forbidden: [
    { name: "no-circles", severity: "error", comment: "No file may reach itself.", from: {}, to: { circular: true } },
    {
      name: "app-is-the-roof",
      severity: "error",
      comment: "Nothing imports a page or a route.",
      from: { pathNot: "^(app|tests)/" },
      to: { path: "^app/" },
    },
    {
      name: "components-know-no-entry-point",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(app|inngest|scripts|tests)/" },
    },
    {
      name: "lib-knows-no-screen",
      severity: "error",
      from: { path: "^lib/" },
      to: { path: "^(app|components|inngest|scripts|tests|prisma)/" },
    },
    {
      name: "inngest-serves-only",
      severity: "error",
      comment: "Only the serving route imports the functions; everything else sends events from lib/events.",
      from: { pathNot: "^(inngest|app/api/inngest|scripts|tests)/" },
      to: { path: "^inngest/" },
    },
    {
      name: "functions-hold-no-rule",
      severity: "error",
      comment: "Steps and retry policy; what a step does stands in its feature's steps.",
      from: { path: "^inngest/(?!local-server/)" },
      to: {
        path: "^(app|components|scripts|tests|lib|inngest/local-server)/",
        pathNot: `^lib/features/${ROOM}(schema|steps)(\\.ts$|/)|^lib/(events|limits)/|^lib/auth/actor\\.ts$|${GROUND}`,
      },
    },
    {
      name: "engine-stands-alone",
      severity: "error",
      comment:
        "The embedded engine is a stand-in for a server of its own: it knows nothing of ours but how to be bounded.",
      from: { path: "^inngest/local-server/" },
      to: {
        path: "^(app|components|lib|scripts|tests|prisma|inngest/(?!local-server/))",
        pathNot: "^lib/utils/bounded\\.ts$",
      },
    },
    {
      name: "engine-is-for-development",
      severity: "error",
      from: { pathNot: "^(inngest/local-server|scripts|tests)/" },
      to: { path: "^inngest/local-server/" },
    },
    {
      name: "product-needs-no-scripts",
      severity: "error",
      from: { path: "^(app|components|lib|inngest|prisma)/" },
      to: { path: "^(scripts|tests)/" },
    },
    {
      name: "product-needs-no-test-tools",
      severity: "error",
      comment:
        "Packages of devDependencies are not installed with the product, and some have licences that must stay out of it. Types vanish in the build.",
      from: { path: "^(app|components|lib|inngest|prisma)/|^(proxy|instrumentation|instrumentation-client)\\.ts$" },
      to: { dependencyTypes: ["npm-dev"], pathNot: "^node_modules/@types/" },
    },
    {
      name: "scripts-need-no-tests",
      severity: "error",
      comment: "Tests look for a browser in the same places as npm run demo; npm run bench runs the benchmarks.",
      from: { path: "^scripts/" },
      to: {
        path: "^tests/",
        pathNot: "^tests/(support/(browser|gallery|openid-environment)|bench/[a-z-]+)\\.ts$",
      },
    },
    {
      name: "ui-knows-no-domain",
      severity: "error",
      from: { path: "^components/ui/" },
      to: { path: "^(components/(?!ui/)|lib/(?!utils/))" },
    },
    {
      name: "shared-pieces-know-no-domain",
      severity: "error",
      from: { path: "^components/shared/" },
      to: { path: "^(components/(?!ui/|shared/)|lib/(?!utils/|client/|errors\\.ts$))" },
    },
    {
      name: "ground-knows-only-ground",
      severity: "error",
      from: { path: `${GROUND}|${PURE}` },
      to: { path: "^lib/", pathNot: `${GROUND}|${PURE}` },
    },
    {
      name: "platform-knows-no-feature",
      severity: "error",
      // A worker thread runs the pure rules of a feature.
      from: { path: "^lib/(?!features/)" },
      to: { path: "^lib/features/", pathNot: "^lib/features/content/seo/" },
    },
    ...upwards,
    {
      name: "only-reads-and-writes-touch-the-database",
      severity: "error",
      from: {
        path: "^(app|components|inngest|lib|proxy\\.ts|instrumentation\\.ts)",
        pathNot: `^lib/(db|auth|limits|audit|lease|events|idempotency|telemetry)/|^lib/features/${ROOM}(reads|writes|steps|sql)(\\.ts$|/)`,
      },
      to: { path: "^lib/db/(?!(health|errors)\\.ts$)" },
    },
    {
      name: "routes-are-thin",
      severity: "error",
      comment: "A route knows transport and a feature; never a provider, never the database.",
      from: { path: "^app/api/(?!inngest/|auth/|health/)" },
      to: { path: "^lib/(db|ai|wordpress|events|crypto|net|email)/" },
    },
    {
      name: "browser-sees-only-shared-files",
      severity: "error",
      comment: "Of server code, only actions.ts.",
      from: { path: BROWSER_SIDE },
      to: {
        path: "^lib/",
        pathNot: `${PURE}|^lib/(client/|utils/|markdown/|errors\\.ts$|features/(content/seo/|${ROOM}(schema|states|rules|client|actions)(\\.tsx?$|/)))`,
      },
    },
    {
      name: "shared-files-stay-shared",
      severity: "error",
      comment: "schema.ts, states.ts and rules.ts run in both worlds and do no work with the outside.",
      from: { path: `^lib/features/${ROOM}(schema|states|rules)\\.ts$` },
      to: { path: "^lib/", pathNot: `${PURE}|^lib/(utils/|errors\\.ts$|features/${ROOM}(schema|states|rules)\\.ts$)` },
    },
    {
      name: "features-use-public-files",
      severity: "error",
      comment:
        "Another feature is known by schema, states, rules, reads, writes and sql/shared; never by its steps, other statements or actions.",
      from: { path: "^lib/features/([^/]+)/(?!client)" },
      to: {
        path: "^lib/features/",
        pathNot: `^lib/features/($1/|content/seo/|${ROOM}((schema|states|rules|reads|writes)(\\.ts$|/)|sql/shared\\.ts$))`,
      },
    },
    {
      name: "shared-sql-joins-statements",
      severity: "error",
      comment:
        "sql/shared.ts holds parts of statements and writes inside the caller's transaction: for another feature's sql, writes and steps alone.",
      from: { path: "^lib/features/([^/]+)/(?!(?:own-data/)?(sql|writes|steps)(\\.ts$|/))" },
      to: { path: "^lib/features/[^/]+/sql/shared\\.ts$", pathNot: "^lib/features/$1/" },
    },
    {
      name: "feature-vocabulary",
      severity: "error",
      comment: "A new file name in a feature is a decision: see docs/decisions.",
      from: {},
      to: {
        path: "^lib/features/",
        pathNot: `^lib/features/${ROOM}((schema|states|rules|reads|actions|client)\\.tsx?|(sql|steps|writes|client)(\\.ts|/[a-z-]+\\.ts))$|^lib/features/assistant/(tools|reply)\\.ts$|^lib/features/content/seo/`,
      },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot:
          "^(app|prisma)/|^(proxy|instrumentation)\\.ts$|^lib/utils/broken-pipe\\.ts$|\\.d\\.ts$|^tests/support/((empty|load-editor|no-actions|test-env|global-teardown)\\.ts|longest-first\\.mjs|radix-ui\\.cjs)$",
      },
      to: {},
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^lib/db/generated/" },
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
