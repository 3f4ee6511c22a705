import { query } from "@/tests/support/db";
import { promptData, sampleProvider, textOf, workspaceWithKey } from "@/tests/support/generation-workspace";
import { AT_WORK, CONTENT, newItemOf, newJobOf } from "@/tests/support/queue-rows";

// A direct call that a user stops, and one that goes on after it.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const ai = sampleProvider();
const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.\n\n## Gamma\nThird.";
const LONG = "A sentence of a section that is long enough to count. ".repeat(30);

type Answer = { message: string; content: { body: string; isBeingWritten: boolean }; type?: string; error?: string };

/** The provider has been asked so many times. */
async function requested(times: number): Promise<void> {
  while (ai.requests.length < times) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function ready(columns: { body?: string } = {}) {
  const workspace = await workspaceWithKey(ai);
  const piece = await workspace.piece({ outline: OUTLINE, ...columns });
  const path = `/api/content/${piece}`;
  const stop = (caller = workspace.caller) => caller.post<{ isStopping: boolean }>(`${path}/stop-writing`);
  const write = (which = "") => workspace.caller.post<Answer>(`${path}/generate-from-outline${which}`);
  return { workspace, piece, path, stop, write };
}

it("keeps the sections that are finished", async () => {
  const { piece, stop, write } = await ready();
  ai.texts.push(LONG, { until: new Promise(() => {}) });
  const answer = write();
  await requested(2);
  expect((await stop()).body).toEqual({ isStopping: true });
  const { status, body } = await answer;
  expect([status, body.message]).toEqual([200, "Stopped. What was written until then is kept."]);
  expect(body.content).toMatchObject({ body: `## Alpha\n\n${LONG.trim()}`, isBeingWritten: false });
  expect(await query("SELECT kind FROM leases WHERE subject = $1", [piece])).toEqual([]);
  expect(await query("SELECT 1 FROM written_sections WHERE content_piece_id = $1", [piece])).toEqual([]);
});

it("keeps the whole sentences of the section under way, where its words are watched", async () => {
  const { workspace, path, piece, stop } = await ready();
  // Each answer takes ten seconds.
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: `${ai.apiKey}-10000` });
  ai.texts.push(LONG);
  const accept = { accept: "text/event-stream" };
  const answer = workspace.caller.call("POST", `${path}/generate-from-outline`, {}, accept);
  await requested(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await stop();
  expect((await answer).text).toContain("Stopped. What was written until then is kept.");
  const { body = "" } = (await textOf(piece)) ?? {};
  expect(body).toMatch(/^## Alpha\n\n(?:A sentence of a section that is long enough to count\. ?)+$/);
  expect(body.length).toBeLessThan(LONG.length);
  const [revision] = await query(
    "SELECT author, model FROM content_revisions WHERE content_piece_id = $1 AND author = 'ai'",
    [piece],
  );
  expect(revision).toEqual({ author: "ai", model: expect.stringMatching(/./) });
});

it("keeps the whole lines of an outline under way, without its announcement", async () => {
  const { workspace, path, piece, stop } = await ready();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: `${ai.apiKey}-10000` });
  ai.texts.push(`Here is the outline:\n\n${"## Part\nWhat it says.\n\n".repeat(40)}`);
  const answer = workspace.caller.call("POST", `${path}/generate-outline`, {}, { accept: "text/event-stream" });
  await requested(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await stop();
  expect((await answer).text).toContain("Stopped. What was written until then is kept.");
  expect((await textOf(piece))?.outline).toMatch(/^## Part\n/);
});

it("stores nothing of the thoughts that it stops", async () => {
  const { workspace, path, piece, stop } = await ready({ body: "By hand." });
  ai.texts.push(LONG);
  // Some twelve seconds of thoughts.
  ai.faults.next([{ kind: "replay", name: "groq", cut: 40, pauseMs: 1_000 }]);
  const accept = { accept: "text/event-stream" };
  const answer = workspace.caller.call("POST", `${path}/generate-from-outline`, {}, accept);
  await requested(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await stop();
  expect((await answer).text).toContain("Stopped before anything was written.");
  expect(await textOf(piece)).toMatchObject({ body: "By hand." });
  expect(await query("SELECT 1 FROM written_sections WHERE content_piece_id = $1", [piece])).toEqual([]);
});

it("leaves the piece as it was if nothing is written yet", async () => {
  const { piece, stop, write } = await ready({ body: "By hand." });
  ai.texts.push({ until: new Promise(() => {}) });
  const answer = write();
  await requested(1);
  await stop();
  expect((await answer).body.message).toBe("Stopped before anything was written.");
  expect(await textOf(piece)).toMatchObject({ body: "By hand." });
});

it("goes on with the sections that are missing, after what the user has made of the others", async () => {
  const { piece, write } = await ready({ body: "## alpha!\n\nEdited by hand.\n\n## Mine\n\nToo." });
  ai.texts.push(LONG, LONG.replaceAll("section", "part"));
  const { status, body } = await write("?which=missing");
  expect([status, body.message]).toEqual([200, "Content generated successfully from outline"]);
  expect(ai.requests.map((request) => (promptData(request).section as { heading: string }).heading)).toEqual([
    "Beta",
    "Gamma",
  ]);
  expect(promptData(ai.requests[0] as never)["text-so-far"]).toContain("Edited by hand.");
  expect((await textOf(piece))?.body).toBe(
    `## alpha!\n\nEdited by hand.\n\n## Mine\n\nToo.\n\n## Beta\n\n${LONG.trim()}\n\n## Gamma\n\n${LONG.replaceAll("section", "part").trim()}`,
  );
});

it("says so when no section is missing, before anything is paid for", async () => {
  const { write } = await ready({ body: "## Alpha\n\n## Beta\n\n## Gamma\n\nDone." });
  const answer = await write("?which=missing");
  expect(answer).toMatchObject({
    status: 400,
    body: { type: "NOTHING_TO_DO", error: "Every section of the outline is in the text already." },
  });
  expect(ai.requests).toEqual([]);
});

it("goes on where a failure has interrupted it, without paying twice", async () => {
  const { piece, write } = await ready({ body: "## Alpha\n\nDone." });
  ai.texts.push(LONG);
  ai.faults.next([null, "server-error"]);
  expect((await write("?which=missing")).status).toBe(502);
  ai.requests.length = 0;
  expect((await write("?which=missing")).status).toBe(200);
  expect(ai.requests).toHaveLength(1);
  expect((await textOf(piece))?.body).toMatch(/^## Alpha\n\nDone\.\n\n## Beta[\s\S]+## Gamma/);
});

it("stops nothing that is not there, another user's, or a queue's", async () => {
  const { workspace, piece, stop } = await ready();
  expect((await stop()).body).toEqual({ isStopping: false });
  const other = await workspaceWithKey(ai);
  expect((await stop(other.caller)).status).toBe(404);
  const item = await newItemOf(await newJobOf(workspace, { job_type: CONTENT }), {
    ...AT_WORK,
    content_piece_id: piece,
  });
  await query(
    "INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until) VALUES ('writing', $1::text, $2, $1::text::uuid, $3, now() + interval '5 minutes')",
    [piece, workspace.id, item.token],
  );
  expect((await stop()).body).toEqual({ isStopping: false });
});

it("reaches the call it is meant for and no later one", async () => {
  const { workspace, piece, write } = await ready();
  await query(
    "INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until) VALUES ('stop', $1::text, $2, $1::text::uuid, gen_random_uuid(), now() + interval '2 minutes')",
    [piece, workspace.id],
  );
  // Each section takes longer than the time between two looks.
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: `${ai.apiKey}-1500` });
  const { body } = await write();
  expect(body.message).toMatch(/^Content generated successfully from outline/);
  expect((await textOf(piece))?.body.match(/^## /gm)).toHaveLength(3);
});
