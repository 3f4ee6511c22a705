import { query } from "@/tests/support/db";
import { newWorkspace, PASSWORD } from "@/tests/support/factories";

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

/** From now on this user's audit events fail. */
async function refuseTrail(id: string): Promise<void> {
  await query(`CREATE OR REPLACE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'The trail is full.'; END $$`);
  await query(`CREATE TRIGGER "refuse_${id}" BEFORE INSERT ON audit_events FOR EACH ROW
    WHEN (NEW.user_id = '${id}') EXECUTE FUNCTION refuse_event()`);
}

afterAll(async () => {
  await query("DROP FUNCTION refuse_event() CASCADE");
});

/** Everything of the user's that these calls change. */
const stateOf = ({ id }: Workspace) =>
  query(
    `SELECT username, email, wordpress_url, openai_api_key, password,
       (SELECT count(*) FROM sessions WHERE user_id = u.id) AS sessions,
       (SELECT count(*) FROM projects WHERE user_id = u.id) AS projects,
       (SELECT count(*) FROM topics WHERE user_id = u.id) AS topics
     FROM users u WHERE id = $1`,
    [id],
  );

const CALLS: [what: string, (workspace: Workspace) => [method: string, url: string, body?: unknown]][] = [
  ["deleting a project", ({ projectId }) => ["DELETE", `/api/projects/${projectId}`]],
  ["deleting a topic", ({ topicId }) => ["DELETE", `/api/topics/${topicId}`]],
  ["signing in", ({ username }) => ["POST", "/api/login", { username, password: PASSWORD }]],
  ["signing out", () => ["POST", "/api/logout"]],
  ["signing out elsewhere", () => ["DELETE", "/api/user/sessions"]],
  [
    "changing the username",
    ({ username }) => ["PATCH", "/api/user", { username: `${username}x`, currentPassword: PASSWORD }],
  ],
  ["changing the site", () => ["PATCH", "/api/user/settings", { wordpressUrl: "https://other.example" }]],
  ["changing the key", () => ["PATCH", "/api/user/settings", { openaiApiKey: "sk-another-key-for-it" }]],
];

it.each(CALLS)("%s happens with its audit event or not at all", async (_what, call) => {
  const workspace = await newWorkspace();
  await workspace.caller.post("/api/login", { username: workspace.username, password: PASSWORD });
  await query("INSERT INTO sessions (session_token, user_id, expires) VALUES ($1, $2, now() + interval '1 day')", [
    `elsewhere-${workspace.id}`,
    workspace.id,
  ]);
  const before = await stateOf(workspace);
  await refuseTrail(workspace.id);
  expect((await workspace.caller.call(...call(workspace))).status).toBe(500);
  expect(await stateOf(workspace)).toEqual(before);
});
