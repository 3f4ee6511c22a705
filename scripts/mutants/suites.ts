/** Where mutants are made, and the tests that are meant to kill them, the quickest first. */
export type Room = { folder: string; suites: Suite[] };
/** Tests for the files of a room whose path matches; the first that matches counts. */
export type Suite = { files: RegExp; tests: string[] };

const ALL = /./;
const RULES = ["tests/unit/lib/features/rules.test.ts", "tests/unit/lib/features/schemas.test.ts"];
const ROWS = "tests/api/queue-rows/";
/** Without the suites that run the engine: those take minutes for each mutant that survives, and fail on a busy machine. */
const QUEUES = [ROWS, "tests/api/job-states.test.ts"];
const GENERATION = ["tests/api/generation", "tests/api/queue-races.test.ts", "tests/api/room-for-paid-work.test.ts"];
const QUERIES = "tests/unit/lib/features/queries.test.ts";
const SCREENS = "tests/unit/components/";

export const ROOMS: Room[] = [
  {
    folder: "lib/features/content",
    suites: [
      { files: /client\.ts$/, tests: ["tests/unit/lib/features/content/client.test.tsx", `${SCREENS}content/`] },
      { files: /(rules|states|schema)\.ts$/, tests: [...RULES, "tests/unit/lib/features/content/states.test.tsx"] },
      {
        files: /sql\/patch\.ts$/,
        tests: [
          "tests/api/revision-rule.test.ts",
          "tests/api/content-writes.test.ts",
          "tests/api/two-tabs.test.ts",
          "tests/api/check-then-write.test.ts",
        ],
      },
      {
        files: /sql\/revisions\.ts$/,
        tests: [
          "tests/api/revision-rule.test.ts",
          "tests/api/content-lists.test.ts",
          "tests/api/revisions.test.ts",
          "tests/api/revision-sequences.test.ts",
        ],
      },
      {
        files: /(sql|reads)\.ts$/,
        tests: [
          "tests/api/content-lists.test.ts",
          "tests/api/content-ai-texts.test.ts",
          "tests/api/content-writes.test.ts",
          "tests/api/revisions.test.ts",
          "tests/api/check-then-write.test.ts",
        ],
      },
      {
        files: ALL,
        tests: ["tests/api/content-writes.test.ts", "tests/api/content.test.ts", "tests/api/check-then-write.test.ts"],
      },
    ],
  },
  {
    folder: "lib/features/jobs",
    suites: [
      { files: /client\.ts$/, tests: [QUERIES, "tests/unit/components/jobs/"] },
      { files: /(rules|states|schema)\.ts$/, tests: ["tests/unit/lib/features/jobs/", ...RULES, ...QUEUES] },
      { files: /sql\/(items|moves)\.ts$/, tests: [`${ROWS}claiming.test.ts`, `${ROWS}ending.test.ts`, ...QUEUES] },
      { files: /sql\/gate\.ts$/, tests: [`${ROWS}gate.test.ts`, ...QUEUES] },
      { files: /sql\/jobs\.ts$/, tests: [`${ROWS}jobs.test.ts`, ...QUEUES] },
      { files: /sql\/waiting\.ts$/, tests: [`${ROWS}waiting.test.ts`, ...QUEUES] },
      { files: /(sql\/status|reads)\.ts$/, tests: [`${ROWS}status.test.ts`, ...QUEUES] },
      { files: /writes\/jobs\.ts$/, tests: [`${ROWS}commands.test.ts`, ...QUEUES] },
      { files: /writes\/(dispatch|recover)\.ts$/, tests: [`${ROWS}sending.test.ts`, ...QUEUES] },
      { files: ALL, tests: [`${ROWS}runs.test.ts`, ...QUEUES] },
    ],
  },
  {
    folder: "lib/features/publishing",
    suites: [
      {
        files: /client\.ts$/,
        tests: [
          "tests/unit/lib/features/publishing/client.test.tsx",
          QUERIES,
          `${SCREENS}publishing/publishing-runs`,
          `${SCREENS}publishing/`,
        ],
      },
      {
        files: /(rules|states|schema)\.ts$/,
        tests: [
          ...RULES,
          "tests/unit/lib/features/publishing/states.test.ts",
          "tests/api/publishing-project.test.ts",
          "tests/api/publishing.test.ts",
        ],
      },
      { files: /reads\.ts$/, tests: ["tests/api/publishing-reads.test.ts", "tests/api/publishing.test.ts"] },
      {
        files: /(sql|writes\/holding)\.ts$/,
        tests: ["tests/api/publishing-reads.test.ts", "tests/api/publishing-lease.test.ts"],
      },
      {
        files: /writes\/project\.ts$/,
        tests: ["tests/api/publishing-project.test.ts", "tests/api/publishing-renderer.test.ts"],
      },
      {
        files: ALL,
        tests: [
          "tests/api/publishing-post.test.ts",
          "tests/api/publishing-unanswered.test.ts",
          "tests/api/publishing.test.ts",
          "tests/api/publishing-renderer.test.ts",
          "tests/api/publishing-lease.test.ts",
          "tests/api/publishing-project.test.ts",
          "tests/api/publishing-reads.test.ts",
          "tests/api/publishing-states.test.ts",
        ],
      },
    ],
  },
  {
    folder: "lib/features/generation",
    suites: [
      {
        files: /client\.ts$/,
        tests: ["tests/unit/lib/features/generation/", QUERIES, "tests/unit/components/generation/"],
      },
      {
        files: /(rules|schema|section)\.ts$/,
        tests: ["tests/unit/lib/features/generation/", ...RULES, ...GENERATION],
      },
      { files: /(sql|reads)\.ts$/, tests: ["tests/api/generation-rows.test.ts", ...GENERATION] },
      { files: /steps\//, tests: ["tests/api/generation-steps.test.ts", ...GENERATION] },
      { files: ALL, tests: ["tests/api/generation-calls.test.ts", ...GENERATION] },
    ],
  },
  { folder: "lib/lease", suites: [{ files: ALL, tests: ["tests/api/lease"] }] },
];

/** The rooms of the named folders; all without a name. Throws for a folder that is none. */
export function roomsOf(names: string[]): Room[] {
  const folders = names.map((name) => name.replace(/\/+$/, ""));
  const unknown = folders.find((name) => !ROOMS.some(({ folder }) => folder === name));
  if (unknown)
    throw new Error(`There are no suites for ${unknown}; folders: ${ROOMS.map((room) => room.folder).join(", ")}.`);
  return ROOMS.filter(({ folder }) => folders.length === 0 || folders.includes(folder));
}

/** The tests for one file. */
export function testsFor(file: string, rooms = ROOMS): string[] {
  const room = rooms.find(({ folder }) => file.startsWith(`${folder}/`));
  return room?.suites.find(({ files }) => files.test(file))?.tests ?? [];
}
