import { createCaller } from "@/tests/support/app";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { PASSWORD } from "@/tests/support/factories";
import { newWorld, storeReset, type World } from "@/tests/support/world";

const site = suiteBlog();

const ADDRESS = "10.200.3.4";
const NEW_PASSWORD = "a wholly other long phrase";

type Row = { action: string; subject: string | null; address: string; request_id: string; detail: object; age: number };

const eventsOf = (userId: string) =>
  query<Row>(
    `SELECT action, subject, address, request_id, detail, extract(epoch FROM now() - created_at)::float AS age
     FROM audit_events WHERE user_id = $1 ORDER BY created_at, id`,
    [userId],
  );

/** The user, calling from an address that no other test uses. */
function from(world: World, requestId: string) {
  const caller = createCaller(world.caller.cookie(), ADDRESS);
  const headers = { "x-request-id": requestId };
  return (method: string, url: string, body?: unknown) => caller.call(method, url, body, headers);
}

type Step = [action: string, does: (world: World) => [string, string, unknown?], subject?: (world: World) => string];

const STEPS: Step[] = [
  ["session.signed_in", ({ username }) => ["POST", "/api/login", { username, password: PASSWORD }]],
  ["session.sign_in_failed", ({ username }) => ["POST", "/api/login", { username, password: "not it at all" }]],
  [
    "account.password_refused",
    ({ mark }) => ["PATCH", "/api/user", { email: `${mark}@x.example`, currentPassword: "not it at all" }],
  ],
  ["account.proof_refused", ({ username }) => ["DELETE", "/api/user", { confirm: username }]],
  [
    "password.reset_refused",
    ({ resetToken }) => ["POST", "/api/password-reset/confirm", { token: resetToken, password: NEW_PASSWORD }],
  ],
  ["session.signed_out", () => ["POST", "/api/logout"]],
  ["session.others_ended", () => ["DELETE", "/api/user/sessions"]],
  ["settings.api_key_changed", () => ["PATCH", "/api/user/settings", { openaiApiKey: "sk-audit-marker-key" }]],
  ["settings.site_changed", () => ["PATCH", "/api/user/settings", { wordpressUsername: "audit-marker-name" }]],
  [
    "account.username_changed",
    ({ mark }) => ["PATCH", "/api/user", { username: `${mark}x`, currentPassword: PASSWORD }],
  ],
  [
    "account.email_changed",
    ({ mark }) => ["PATCH", "/api/user", { email: `${mark}@x.example`, currentPassword: PASSWORD }],
  ],
  ["account.password_changed", () => ["PATCH", "/api/user", { password: NEW_PASSWORD, currentPassword: PASSWORD }]],
  ["account.exported", () => ["GET", "/api/user/export"]],
  [
    "password.reset",
    ({ resetToken }) => ["POST", "/api/password-reset/confirm", { token: resetToken, password: NEW_PASSWORD }],
  ],
  ["content.published", ({ pieceId }) => ["POST", `/api/content/${pieceId}/publish`, {}], ({ pieceId }) => pieceId],
  ["content.unpublished", ({ pieceId }) => ["POST", `/api/content/${pieceId}/unpublish`], ({ pieceId }) => pieceId],
  ["content.deleted", ({ pieceId }) => ["DELETE", `/api/content/${pieceId}`], ({ pieceId }) => pieceId],
  ["topic.deleted", ({ topicId }) => ["DELETE", `/api/topics/${topicId}`], ({ topicId }) => String(topicId)],
  [
    "project.deleted",
    ({ projectId }) => ["DELETE", `/api/projects/${projectId}`],
    ({ projectId }) => String(projectId),
  ],
];

async function worldFor(action: string): Promise<World> {
  const world = await newWorld();
  if (action.startsWith("password.reset")) await storeReset(world);
  if (action === "password.reset_refused")
    await query("UPDATE password_resets SET used_at = now() WHERE user_id = $1", [world.id]);
  if (action === "account.proof_refused") {
    await query("UPDATE users SET password = NULL WHERE id = $1", [world.id]);
    await query("UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1", [world.id]);
  }
  if (action === "session.others_ended")
    await createCaller().post("/api/login", { username: world.username, password: PASSWORD });
  if (action.startsWith("content.")) {
    await world.caller.patch("/api/user/settings", {
      wordpressUrl: site.url,
      wordpressUsername: site.username,
      wordpressPassword: site.applicationPassword,
    });
  }
  if (action === "content.unpublished") await world.caller.post(`/api/content/${world.pieceId}/publish`, {});
  return world;
}

describe("audit events", () => {
  it.each(STEPS.map(([action, does, subject]) => ({ action, does, subject })))(
    "$action: records who, what, when and from where, and no text",
    async ({ action, does, subject }) => {
      const world = await worldFor(action);
      const requestId = `audit-${action.replace(".", "-")}`;
      const [method, url, body] = does(world);
      const answer = await from(world, requestId)(method, url, body);
      expect(answer.status >= 400).toBe(/_(failed|refused)$/.test(action));
      const found = (await eventsOf(world.id)).filter(
        (event) => event.action === action && event.request_id === requestId,
      );
      expect(found).toEqual([
        expect.objectContaining({ subject: subject?.(world) ?? null, address: ADDRESS, age: expect.any(Number) }),
      ]);
      expect(found[0]?.age).toBeLessThan(20);
      const text = JSON.stringify(found[0]?.detail);
      for (const written of ["marker", world.mark, PASSWORD, NEW_PASSWORD, world.username])
        expect(text).not.toContain(written);
    },
  );

  it("records a failed sign-in with an unknown username, without a user", async () => {
    const username = `nobody-${Date.now()}`;
    await createCaller(undefined, "10.200.9.9").post(
      "/api/login",
      { username, password: "not it" },
      { "x-request-id": "nobody-1" },
    );
    const rows = await query("SELECT user_id, detail, subject FROM audit_events WHERE request_id = 'nobody-1'");
    expect(rows).toEqual([{ user_id: null, detail: {}, subject: null }]);
  });

  it("never undoes the change when the event cannot be written", async () => {
    const world = await newWorld();
    const { audit } = await import("@/lib/audit/audit");
    const context = { requestId: "x", address: "y" };
    // No such user: the foreign key refuses the row.
    const userId = "3f2f4e0c-5a0e-4c39-9d3c-0a4a3b9d7aff";
    await expect(audit({ userId, context, action: "content.deleted" })).resolves.toBeUndefined();
    expect((await world.caller.get("/api/user")).status).toBe(200);
  });

  it("shows a user their newest fifty events and nobody else's", async () => {
    const world = await newWorld();
    const other = await newWorld();
    await query(
      `INSERT INTO audit_events (user_id, action, address, created_at)
       SELECT $1, 'session.signed_in', '10.0.0.' || n, now() + n * interval '1 second' FROM generate_series(1, 60) n`,
      [world.id],
    );
    const { recentActivity } = await import("@/lib/features/account/sessions/reads");
    const { actorFromSignIn } = await import("@/lib/auth/actor");
    const events = await recentActivity(actorFromSignIn(world.id, { requestId: "x", address: "y" }));
    expect(events).toHaveLength(50);
    expect(events.map(({ address }) => address).slice(0, 2)).toEqual(["10.0.0.60", "10.0.0.59"]);
    expect((await recentActivity(actorFromSignIn(other.id, { requestId: "x", address: "y" }))).length).toBeLessThan(10);
  });
});
