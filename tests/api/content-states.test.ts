import type { ContentOut } from "@/lib/features/content/schema";
import { CONTENT_STATES, CONTENT_STATUSES, LIVE_STATUSES } from "@/lib/features/content/states";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

it("the statuses are those of the database", async () => {
  const labels = await query<{ label: string }>(
    "SELECT enumlabel AS label FROM pg_enum WHERE enumtypid = 'content_status'::regtype ORDER BY enumsortorder",
  );
  expect(labels.map(({ label }) => label)).toEqual([...CONTENT_STATUSES]);
});

describe("a user", () => {
  it.each(CONTENT_STATUSES)("sets after %s what the table allows, and nothing else", async (from) => {
    const workspace = await newWorkspace();
    const id = await newPiece(workspace, workspace, { body: "A text." });
    const isLocked = LIVE_STATUSES.includes(from);
    for (const to of CONTENT_STATUSES) {
      await query("UPDATE content_pieces SET status = $2::content_status WHERE id = $1", [id, from]);
      const { status, body } = await workspace.caller.patch<ContentOut & { type?: string }>(`/api/content/${id}`, {
        status: to,
      });
      const follows = to === from || CONTENT_STATES[from].next.user.some((each) => each === to);
      const refused = isLocked ? [409, "STATUS_LOCKED"] : [400, "VALIDATION_ERROR"];
      expect([to, status, body.type ?? body.status]).toEqual([to, ...(follows ? [200, to] : refused)]);
    }
  });
});
