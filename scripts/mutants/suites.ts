/** Where mutants are made, and the tests that should kill them, quickest first. */
export type Room = { folder: string; suites: Suite[] };
/** The tests for files whose path matches; the first match wins. */
export type Suite = { files: RegExp; tests: string[] };

const ALL = /./;
const RULES = ["tests/unit/lib/features/rules.test.ts", "tests/unit/lib/features/schemas.test.ts"];
const ROWS = "tests/api/queue-rows/";
/** Without the suites that run the engine: they take minutes per survivor, and fail on a busy machine. */
const QUEUES = [ROWS, "tests/api/job-states.test.ts"];
const GENERATION = ["tests/api/generation", "tests/api/queue-races", "tests/api/room-for-paid-work.test.ts"];
const SESSIONS = [
  "tests/api/sessions.test.ts",
  "tests/api/session-lifecycle.test.ts",
  "tests/api/two-sessions.test.ts",
  "tests/api/statements-of-a-session.test.ts",
];
const GOOGLE = ["tests/api/google-session.test.ts", "tests/api/google.test.ts"];
const QUERIES = "tests/unit/lib/features/queries.test.ts";
const SCREENS = "tests/unit/components/";
const CLIENT = "tests/unit/lib/client/";
const clientTest = (name: string) => `${CLIENT}${name}`;
const CONTENT = `${SCREENS}content/`;
const EDITOR = [
  `${CONTENT}editor-states.test.tsx`,
  `${CONTENT}editor-outline.test.tsx`,
  `${CONTENT}content-editor.test.tsx`,
  `${CONTENT}editor-screen.test.tsx`,
  `${CONTENT}editor-elsewhere.test.tsx`,
  `${CONTENT}session-end.test.tsx`,
];
const LIBRARY = [
  `${CONTENT}content-library.test.tsx`,
  `${CONTENT}library-row.test.tsx`,
  `${CONTENT}library-screen.test.tsx`,
  `${CONTENT}optimistic.test.tsx`,
];
const SETTLING = "tests/api/publishing-settling.test.ts";
const WORDPRESS = "tests/unit/lib/wordpress/";

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
        files: /sql\/shared\.ts$/,
        tests: [
          "tests/api/content-ai-texts.test.ts",
          `${ROWS}jobs.test.ts`,
          `${ROWS}claiming.test.ts`,
          "tests/api/generation-rows.test.ts",
          "tests/api/publishing-reads.test.ts",
          "tests/api/publishing-lease.test.ts",
          "tests/api/revision-rule.test.ts",
          "tests/api/revisions.test.ts",
        ],
      },
      {
        files: /(sql|reads)\.ts$/,
        tests: [
          "tests/api/content-lists.test.ts",
          "tests/api/generation-rows.test.ts",
          "tests/api/publishing-reads.test.ts",
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
      {
        files: /sql\/(items|moves)\.ts$/,
        tests: [`${ROWS}claiming.test.ts`, `${ROWS}ending.test.ts`, "tests/api/generation-steps.test.ts", ...QUEUES],
      },
      { files: /sql\/gate\.ts$/, tests: [`${ROWS}gate.test.ts`, ...QUEUES] },
      { files: /sql\/(jobs|shared)\.ts$/, tests: [`${ROWS}jobs.test.ts`, `${ROWS}claiming.test.ts`, ...QUEUES] },
      { files: /sql\/waiting\.ts$/, tests: [`${ROWS}waiting.test.ts`, ...QUEUES] },
      { files: /(sql\/status|reads)\.ts$/, tests: [`${ROWS}status.test.ts`, ...QUEUES] },
      { files: /writes\/jobs\.ts$/, tests: [`${ROWS}commands.test.ts`, ...QUEUES] },
      { files: /(steps|writes\/(dispatch|recover))\.ts$/, tests: [`${ROWS}sending.test.ts`, ...QUEUES] },
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
          "tests/unit/lib/features/publishing/rules.test.ts",
          "tests/api/publishing-job-calls.test.ts",
          "tests/api/publishing-jobs.test.ts",
          "tests/api/publishing-project.test.ts",
          "tests/api/publishing.test.ts",
          SETTLING,
        ],
      },
      {
        files: /reads\.ts$/,
        tests: [
          "tests/api/publishing-reads.test.ts",
          "tests/api/publishing.test.ts",
          "tests/api/publishing-job-calls.test.ts",
          "tests/api/publishing-jobs.test.ts",
        ],
      },
      {
        files: /(sql\/leases|writes\/lease)\.ts$/,
        tests: ["tests/api/publishing-reads.test.ts", "tests/api/publishing-lease.test.ts", SETTLING],
      },
      {
        files: /(writes\/(project|job|slice)|sql\/jobs)\.ts$/,
        tests: [
          "tests/api/publishing-joined.test.ts",
          "tests/api/publishing-sets.test.ts",
          "tests/api/publishing-cancel.test.ts",
          "tests/api/publishing-job-rows.test.ts",
          "tests/api/publishing-job-calls.test.ts",
          "tests/api/publishing-jobs.test.ts",
          "tests/api/publishing-project.test.ts",
          "tests/api/publishing-renderer.test.ts",
        ],
      },
      {
        files: /writes\/category\.ts$/,
        tests: [
          "tests/unit/lib/features/category-creation.test.ts",
          "tests/api/publishing-categories.test.ts",
          "tests/api/publishing-project.test.ts",
          "tests/api/publishing.test.ts",
        ],
      },
      { files: /writes\/site\.ts$/, tests: ["tests/api/publishing-sites.test.ts"] },
      { files: /steps\.ts$/, tests: [SETTLING, "tests/api/publishing-jobs.test.ts"] },
      {
        files: /writes\/post\.ts$/,
        tests: [
          SETTLING,
          "tests/api/publishing-unanswered.test.ts",
          "tests/api/publishing-post.test.ts",
          "tests/api/publishing-lease.test.ts",
          "tests/api/publishing-sites.test.ts",
        ],
      },
      {
        files: ALL,
        tests: [
          "tests/unit/lib/features/publishing/identity.test.ts",
          "tests/api/publishing-sets.test.ts",
          "tests/api/publishing-post.test.ts",
          "tests/api/publishing-unanswered.test.ts",
          "tests/api/publishing.test.ts",
          "tests/api/publishing-renderer.test.ts",
          "tests/api/publishing-lease.test.ts",
          "tests/api/publishing-project.test.ts",
          "tests/api/publishing-reads.test.ts",
          "tests/api/publishing-states.test.ts",
          SETTLING,
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
        files: /(rules|schema|write-section)\.ts$/,
        tests: ["tests/unit/lib/features/generation/", ...RULES, ...GENERATION],
      },
      { files: /(sql|reads)\.ts$/, tests: ["tests/api/generation-rows.test.ts", ...GENERATION] },
      { files: /steps\//, tests: ["tests/api/generation-steps.test.ts", ...GENERATION] },
      { files: ALL, tests: ["tests/api/generation-calls.test.ts", ...GENERATION] },
    ],
  },
  { folder: "lib/lease", suites: [{ files: ALL, tests: ["tests/api/lease", ROWS, "tests/api/assistant.test.ts"] }] },
  {
    folder: "lib/limits",
    suites: [
      { files: /address\.ts$/, tests: ["tests/unit/lib/limits/"] },
      { files: /once\.ts$/, tests: ["tests/api/rate-limits.test.ts"] },
      { files: /storage-quota\.ts$/, tests: ["tests/api/storage-quota.test.ts"] },
      { files: ALL, tests: ["tests/api/rate-limits.test.ts"] },
    ],
  },
  {
    folder: "lib/auth",
    suites: [
      { files: /id-token\.ts$/, tests: ["tests/api/id-token-claims.test.ts", "tests/api/id-token.test.ts"] },
      { files: /next-path\.ts$/, tests: ["tests/unit/lib/auth/next-path.test.ts"] },
      { files: /user-agent\.ts$/, tests: ["tests/unit/lib/auth/user-agent.test.ts"] },
      { files: /\/cookies\.ts$/, tests: ["tests/unit/lib/auth/cookies.test.ts"] },
      { files: /(adapter|new-user)\.ts$/, tests: ["tests/api/adapter.test.ts"] },
      { files: /failure\.ts$/, tests: ["tests/unit/lib/auth/sign-in-failure.test.ts"] },
      { files: /(google|next-auth|options|intent)\.ts$/, tests: GOOGLE },
      { files: /device-cookie\.ts$/, tests: ["tests/unit/lib/auth/device-cookie.test.ts"] },
      { files: /password-attempts\.ts$/, tests: ["tests/api/password-attempts.test.ts"] },
      { files: /password\.ts$/, tests: ["tests/api/password-cost.test.ts"] },
      { files: /actor\.ts$/, tests: ["tests/api/actor.test.ts", "tests/api/two-sessions.test.ts"] },
      { files: ALL, tests: SESSIONS },
    ],
  },
  { folder: "lib/net", suites: [{ files: ALL, tests: ["tests/unit/lib/net/", "tests/api/site-addresses.test.ts"] }] },
  {
    folder: "lib/wordpress",
    suites: [
      {
        files: /(blocks|inline-html|renderer)\.ts$/,
        tests: [`${WORDPRESS}blocks.test.ts`, `${WORDPRESS}golden.test.ts`],
      },
      {
        files: /categories\.ts$/,
        tests: ["categories", "client", "answers"].map((name) => `${WORDPRESS}${name}.test.ts`),
      },
      { files: /entities\.ts$/, tests: [`${WORDPRESS}entities.test.ts`] },
      { files: /json\.ts$/, tests: [`${WORDPRESS}json.test.ts`] },
      { files: /batch-writes\.ts$/, tests: [`${WORDPRESS}batch-writes.test.ts`] },
      { files: /many-posts\.ts$/, tests: [`${WORDPRESS}many-posts.test.ts`] },
      { files: /outside\.ts$/, tests: [`${WORDPRESS}outside.test.ts`] },
      { files: /(pace|retry-after)\.ts$/, tests: [`${WORDPRESS}pace.test.ts`] },
      { files: /(exchange|secret)\.ts$/, tests: [`${WORDPRESS}exchange.test.ts`, `${WORDPRESS}secret.test.ts`] },
      { files: /site-index\.ts$/, tests: [`${WORDPRESS}identity.test.ts`] },
      {
        files: /failures\.ts$/,
        tests: ["page-failures", "client", "answers", "failing-sites", "pace"].map(
          (name) => `${WORDPRESS}${name}.test.ts`,
        ),
      },
      {
        files: /(discover|site-address)\.ts$/,
        tests: [`${WORDPRESS}discover.test.ts`, "tests/unit/lib/features/rules.test.ts"],
      },
      {
        files: /schema\.ts$/,
        tests: ["client", "answers", "identity", "outside", "many-posts"].map((name) => `${WORDPRESS}${name}.test.ts`),
      },
      {
        files: ALL,
        tests: [`${WORDPRESS}client.test.ts`, `${WORDPRESS}answers.test.ts`],
      },
    ],
  },
  {
    folder: "lib/transport",
    suites: [
      { files: /openapi\.ts$/, tests: ["tests/unit/lib/transport/openapi.test.ts", "tests/api/openapi-input.test.ts"] },
      {
        files: /(launcher|after-response|body|cross-site|event-stream|reply)\.ts$/,
        tests: ["tests/unit/lib/transport/"],
      },
      {
        files: /(page-post|page-failure|methods)\.ts$/,
        tests: ["tests/unit/proxy.test.ts", "tests/unit/app/pages.test.tsx", "tests/api/methods.test.ts"],
      },
      { files: /zip\.ts$/, tests: ["tests/api/archive.test.ts"] },
      { files: /page\.ts$/, tests: ["tests/api/lists.test.ts"] },
      { files: /idempotency\.ts$/, tests: ["tests/api/idempotency.test.ts", "tests/api/idempotency-keys.test.ts"] },
      {
        files: /(action|form-state)\.ts$/,
        tests: ["tests/api/posted-forms.test.ts", "tests/api/actions.test.ts", "tests/api/two-sessions.test.ts"],
      },
      { files: ALL, tests: ["tests/api/route.test.ts", "tests/api/session-lifecycle.test.ts"] },
    ],
  },
  {
    folder: "lib/client",
    suites: [
      {
        files: /(api|status-text|event-stream|idempotency-keys|random-id)\.ts$/,
        tests: ["api", "status-text", "event-stream", "idempotency-keys", "toast"].map(clientTest),
      },
      {
        files: /(changes|invalidation|other-tabs)\.ts$/,
        tests: ["changes", "other-tabs", "invalidation"].map(clientTest),
      },
      { files: /(toast|toast-item|toast-queue)\.ts$/, tests: [clientTest("toast"), `${SCREENS}shared/`] },
      { files: /(leave-guard|navigation)\.ts$/, tests: [clientTest("leaving"), `${SCREENS}shared/`] },
      { files: /preview(-worker)?\.ts$/, tests: [`${SCREENS}shared/markdown.test.tsx`] },
      { files: /session-end\.ts$/, tests: [clientTest("session-end"), `${CONTENT}session-end.test.tsx`] },
      {
        files: /session-drafts?\.ts$/,
        tests: [
          clientTest("session-drafts"),
          `${CONTENT}session-end.test.tsx`,
          `${SCREENS}shared/kept-fields.test.tsx`,
          `${SCREENS}shared/form-dialog.test.tsx`,
        ],
      },
      { files: /(download|form|form-check|theme)\.ts$/, tests: ["download", "form", "theme"].map(clientTest) },
      { files: /redirect-action\.ts$/, tests: [`${SCREENS}account/`] },
      {
        files: /(list-edits|rejected-text)\.ts$/,
        tests: [
          clientTest("list-edits"),
          `${CONTENT}optimistic.test.tsx`,
          `${CONTENT}topic-content-row.test.tsx`,
          `${SCREENS}topics/`,
        ],
      },
      { files: ALL, tests: [CLIENT, QUERIES] },
    ],
  },
  {
    folder: "components/content",
    suites: [
      { files: /revision[^/]*$/, tests: [`${CONTENT}revision-dialog.test.tsx`, `${CONTENT}editor-states.test.tsx`] },
      {
        files: /(topic-content|inline-edit|add-content)[^/]*$/,
        tests: [`${CONTENT}topic-content`, `${CONTENT}optimistic.test.tsx`, `${SCREENS}topics/keyword-list.test.tsx`],
      },
      { files: /(library|filter|group|row|delete|facts)[^/]*$/, tests: [`${CONTENT}library-`, ...LIBRARY] },
      { files: /draft\.ts$/, tests: [`${CONTENT}draft.test.ts`, ...EDITOR] },
      { files: /text-direction\.ts$/, tests: [`${CONTENT}text-direction.test.ts`] },
      { files: ALL, tests: [...EDITOR, `${CONTENT}preview-panel.test.tsx`] },
    ],
  },
];

/** The rooms of the named folders, or all of them. Throws on an unknown folder. */
export function roomsOf(names: string[]): Room[] {
  const folders = names.map((name) => name.replace(/\/+$/, ""));
  const unknown = folders.find((name) => !ROOMS.some(({ folder }) => folder === name));
  if (unknown)
    throw new Error(`There are no suites for ${unknown}; folders: ${ROOMS.map((room) => room.folder).join(", ")}.`);
  return ROOMS.filter(({ folder }) => folders.length === 0 || folders.includes(folder));
}

export function testsFor(file: string, rooms = ROOMS): string[] {
  const room = rooms.find(({ folder }) => file.startsWith(`${folder}/`));
  return room?.suites.find(({ files }) => files.test(file))?.tests ?? [];
}
