/**
 * Who may import whom: kept here and nowhere else.
 * app → components → lib; inngest → lib; lib/features: assistant, archive → publishing, generation → jobs, content → topics →
 * projects → account → platform → ground.
 */
const GROUND = "^lib/(env|errors|log)\\.ts$|^lib/utils/";
const BROWSER_SIDE = "^components/|^lib/client/|^lib/features/[^/]+/client\\.tsx?$";

/** Each feature may know the ones before it, not those after. */
const LADDER = [
  ["account"],
  ["projects"],
  ["topics"],
  ["content", "jobs"],
  ["generation", "publishing"],
  ["assistant", "archive"],
];
const upwards = LADDER.slice(0, -1).map((rung, index) => ({
  name: `features-look-down-${rung.join("-")}`,
  severity: "error",
  comment: "A feature knows only those below it.",
  from: { path: `^lib/features/(${rung.join("|")})/` },
  to: {
    path: `^lib/features/(${LADDER.slice(index + 1)
      .flat()
      .join("|")})/`,
  },
}));

// dependency-cruiser reads TypeScript through swc but never tells it that a .tsx file holds JSX.
const swc = require("@swc/core");
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => parseFile(file, { ...options, tsx: file.endsWith(".tsx") });

module.exports = {
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
      name: "components-know-no-door",
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
      comment: "Steps and retry policy; what a step does is a feature's verb.",
      from: { path: "^inngest/(?!local-server/)" },
      to: {
        path: "^(app|components|scripts|tests|lib|inngest/local-server)/",
        pathNot: `^lib/features/[^/]+/(reads|writes|steps)(\\.ts$|/)|^lib/(events|limits)/|^lib/auth/actor\\.ts$|${GROUND}`,
      },
    },
    {
      name: "engine-stands-alone",
      severity: "error",
      comment: "The embedded engine is a stand-in for a server of its own: it knows nothing of ours.",
      from: { path: "^inngest/local-server/" },
      to: { path: "^(app|components|lib|scripts|tests|prisma|inngest/(?!local-server/))" },
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
      name: "scripts-use-the-samples-only",
      severity: "error",
      comment:
        "The demo runs on the same samples as the tests, which also look for a browser in the same places; npm run bench runs the benchmarks, npm run mutants the tests on their database.",
      from: { path: "^scripts/" },
      to: {
        path: "^tests/",
        pathNot:
          "^tests/(support/(ai-provider|wordpress-site|browser|gallery|openid-environment|test-postgres)|bench/[a-z-]+)\\.ts$",
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
      from: { path: GROUND },
      to: { path: "^lib/", pathNot: GROUND },
    },
    {
      name: "platform-knows-no-feature",
      severity: "error",
      from: { path: "^lib/(?!features/)" },
      to: { path: "^lib/features/" },
    },
    ...upwards,
    {
      name: "only-reads-and-writes-touch-the-database",
      severity: "error",
      from: {
        path: "^(app|components|inngest|lib|proxy\\.ts|instrumentation\\.ts)",
        pathNot:
          "^lib/(db|auth|limits|audit|lease|events|idempotency)/|^lib/features/[^/]+/(reads|writes|steps|sql)(\\.ts$|/)",
      },
      to: { path: "^lib/db/(?!health\\.ts$)" },
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
      comment: "actions.ts is the one door to the server.",
      from: { path: BROWSER_SIDE },
      to: {
        path: "^lib/",
        pathNot:
          "^lib/(client/|utils/|markdown/|errors\\.ts$|features/[^/]+/(schema|states|rules|client|actions)(\\.tsx?$|/))",
      },
    },
    {
      name: "shared-files-stay-shared",
      severity: "error",
      comment: "schema.ts, states.ts and rules.ts run in both worlds and do no work with the outside.",
      from: { path: "^lib/features/[^/]+/(schema|states|rules)\\.ts$" },
      to: { path: "^lib/", pathNot: "^lib/(utils/|errors\\.ts$|features/[^/]+/(schema|states|rules)\\.ts$)" },
    },
    {
      name: "features-meet-at-their-doors",
      severity: "error",
      comment:
        "Another feature is known by schema, states, rules, reads and writes; never by its steps, statements or actions.",
      from: { path: "^lib/features/([^/]+)/(?!client)" },
      to: {
        path: "^lib/features/",
        pathNot: "^lib/features/($1/|[^/]+/(schema|states|rules|reads|writes)(\\.ts$|/))",
      },
    },
    {
      name: "feature-vocabulary",
      severity: "error",
      comment: "A new file name in a feature is a decision: see DECISIONS.md.",
      from: {},
      to: {
        path: "^lib/features/",
        pathNot:
          "^lib/features/[^/]+/((schema|states|rules|reads|actions|client)\\.tsx?|(sql|steps|writes)(\\.ts|/[a-z-]+\\.ts))$|^lib/features/assistant/(tools|reply)\\.ts$",
      },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot:
          "^(app|prisma)/|^(proxy|instrumentation)\\.ts$|^scripts/mutants/(reporter|sequencer)\\.mjs$|^lib/(transport/methods|utils/output)\\.ts$|\\.d\\.ts$|^tests/support/((empty|test-env|global-teardown)\\.ts|longest-first\\.mjs)$",
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
