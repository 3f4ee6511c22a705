import { AppError } from "@/lib/errors";
import { type EventSink, eventStream, progressEvents } from "@/lib/transport/event-stream";

async function sent(produce: (sink: EventSink) => Promise<unknown>): Promise<string> {
  return eventStream(produce, "mine").text();
}

it("sends each event as it comes, and ends after the last", async () => {
  const text = await sent(async (sink) => {
    const { onSection, onThinking, onDelta } = progressEvents(sink);
    onSection({ index: 0, count: 2, heading: "Alpha", restart: false });
    onThinking();
    onDelta("two\nlines");
    sink("done", { name: "Maren" });
  });
  expect(text).toBe(
    [
      'event: section\ndata: {"index":0,"count":2,"heading":"Alpha","restart":false}\n\n',
      "event: thinking\ndata: {}\n\n",
      'event: delta\ndata: {"text":"two\\nlines"}\n\n',
      'event: done\ndata: {"name":"Maren"}\n\n',
    ].join(""),
  );
});

it("ends with the error that a call without a stream would return", async () => {
  const text = await sent(async (sink) => {
    sink("delta", { text: "a" });
    throw new AppError("DUPLICATE", { message: "This topic exists." });
  });
  expect(text).toBe(
    'event: delta\ndata: {"text":"a"}\n\nevent: error\ndata: {"error":"This topic exists.","type":"DUPLICATE","requestId":"mine"}\n\n',
  );
});

it("finishes the work when the client disconnects", async () => {
  let disconnect = () => {};
  const disconnected = new Promise<void>((resolve) => {
    disconnect = resolve;
  });
  let isFinished = false;
  let work: Promise<unknown> = Promise.resolve();
  const response = eventStream((sink) => {
    work = (async () => {
      await disconnected;
      sink("done", {});
      isFinished = true;
    })();
    return work;
  }, "mine");
  await response.body?.cancel();
  disconnect();
  await work;
  expect(isFinished).toBe(true);
});

it("forbids caching and buffering on the way to the browser", () => {
  const { headers } = eventStream(async () => undefined, "mine", { "set-cookie": "session=x" });
  expect(Object.fromEntries(headers)).toEqual({
    "cache-control": "no-store",
    "content-type": "text/event-stream; charset=utf-8",
    "set-cookie": "session=x",
    "x-accel-buffering": "no",
    "x-request-id": "mine",
  });
});
