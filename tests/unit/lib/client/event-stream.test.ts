import { apiEvents } from "@/lib/client/event-stream";

/** Answers the next call with these pieces of a stream. */
function answerWith(chunks: (string | Uint8Array)[], init: ResponseInit = {}) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  return jest.spyOn(global, "fetch").mockResolvedValue(new Response(body, init));
}

async function collect() {
  const events = [];
  for await (const event of apiEvents("/api/content/1/generate-from-outline")) events.push(event);
  return events;
}

it("asks for events with the session's cookie", async () => {
  const fetched = answerWith([]);
  await collect();
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    method: "POST",
    credentials: "same-origin",
    headers: { accept: "text/event-stream" },
  });
});

it("reads events however the stream is cut, also inside a letter", async () => {
  const bytes = new TextEncoder().encode('event: delta\ndata: {"text":"für"}\n\n');
  const cut = bytes.indexOf(0xc3) + 1;
  answerWith([": a comment\n\neve", 'nt: section\ndata: {"index":0}\n', "\n", bytes.slice(0, cut), bytes.slice(cut)]);
  expect(await collect()).toEqual([
    { event: "section", data: { index: 0 } },
    { event: "delta", data: { text: "für" } },
  ]);
});

it("leaves out an event that was cut off at the end", async () => {
  answerWith(['event: delta\ndata: {"text":"a"}\n\n', 'event: delta\ndata: {"te']);
  expect(await collect()).toEqual([{ event: "delta", data: { text: "a" } }]);
});

it("throws an error event as the failure of the call", async () => {
  answerWith(['event: error\ndata: {"error":"The AI provider took too long.","type":"AI_TIMEOUT"}\n\n']);
  await expect(collect()).rejects.toMatchObject({ text: "The AI provider took too long.", type: "AI_TIMEOUT" });
});

it("throws an answer that is no success", async () => {
  answerWith([JSON.stringify({ error: "No outline yet.", type: "OUTLINE_REQUIRED" })], { status: 400 });
  await expect(collect()).rejects.toMatchObject({ status: 400, type: "OUTLINE_REQUIRED", isOurs: true });
});
