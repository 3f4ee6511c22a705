import { endStreams } from "@/lib/limits/place";
import { newUser } from "@/tests/support/factories";
import { followQueue } from "@/tests/support/queue-stream";

jest.mock("@/lib/limits/bounds", () => ({
  ...jest.requireActual<object>("@/lib/limits/bounds"),
  FOLLOW_MS: 400,
  STREAM_COMMENT_MS: 100,
}));

it("ends by itself, after comments that keep it open", async () => {
  const { caller } = await newUser();
  const response = await caller.respond("GET", "/api/queue/events", undefined, { accept: "text/event-stream" });
  const began = Date.now();
  const text = await response.text();
  expect(text).toMatch(/^event: changes\ndata: \{.*\}\n\n(: still at work\n\n){2,4}$/);
  expect(Date.now() - began).toBeLessThan(2_000);
});

it("ends when the process stops, and none begins after that", async () => {
  const { caller } = await newUser();
  const stream = await followQueue(caller);
  await stream.next();
  const began = Date.now();
  endStreams();
  await stream.ended();
  expect(Date.now() - began).toBeLessThan(300);
  expect((await followQueue(caller)).status).toBe(503);
});
