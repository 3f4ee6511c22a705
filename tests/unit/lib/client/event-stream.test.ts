import { apiEvents, followChanges } from "@/lib/client/event-stream";

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

it("asks for events with the session cookie", async () => {
  const fetched = answerWith([]);
  await collect();
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    method: "POST",
    credentials: "same-origin",
    headers: { accept: "text/event-stream" },
  });
});

it("reads events however the stream is split, even inside a character", async () => {
  const bytes = new TextEncoder().encode('event: delta\ndata: {"text":"für"}\n\n');
  const cut = bytes.indexOf(0xc3) + 1;
  answerWith([": a comment\n\neve", 'nt: section\ndata: {"index":0}\n', "\n", bytes.slice(0, cut), bytes.slice(cut)]);
  expect(await collect()).toEqual([
    { event: "section", data: { index: 0 } },
    { event: "delta", data: { text: "für" } },
  ]);
});

it("ignores an event that was cut off at the end", async () => {
  answerWith(['event: delta\ndata: {"text":"a"}\n\n', 'event: delta\ndata: {"te']);
  expect(await collect()).toEqual([{ event: "delta", data: { text: "a" } }]);
});

it("gives up on an event that never ends", async () => {
  answerWith(["data: ", "x".repeat(4_000_001)]);
  await expect(collect()).rejects.toThrow("buffer");
});

it("closes the connection when the caller stops early", async () => {
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const chunk = new TextEncoder().encode('event: delta\ndata: {"text":"a"}\n\n');
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(chunk),
    cancel: () => cancel(),
  });
  jest.spyOn(global, "fetch").mockResolvedValue(new Response(body));
  for await (const _ of apiEvents("/api/content/1/generate-from-outline")) break;
  await cancelled;
});

it("has no events without a body", async () => {
  jest.spyOn(global, "fetch").mockResolvedValue(new Response(null, { status: 204 }));
  expect(await collect()).toEqual([]);
});

it("throws an error event as the failure of the call", async () => {
  answerWith(['event: error\ndata: {"error":"The AI provider took too long.","type":"AI_TIMEOUT"}\n\n']);
  await expect(collect()).rejects.toMatchObject({
    status: 200,
    text: "The AI provider took too long.",
    isOurs: true,
    type: "AI_TIMEOUT",
  });
});

it("throws an answer that is not a success", async () => {
  answerWith([JSON.stringify({ error: "No outline yet.", type: "OUTLINE_REQUIRED" })], { status: 400 });
  await expect(collect()).rejects.toMatchObject({ status: 400, type: "OUTLINE_REQUIRED", isOurs: true });
});

describe("a stream that is followed", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const streamOf = (...events: string[]) => new Response(events.join(""));
  const changesOf = (n: number) => `event: changes\ndata: {"n":${n}}\n\n`;

  /** Follows a stream whose calls have these answers; the last one is given again. */
  function follow(...answers: (() => Response)[]) {
    const fetched = jest.spyOn(global, "fetch").mockImplementation(async () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (!answer) throw new Error("no answer");
      return answer();
    });
    const end = new AbortController();
    const told: unknown[] = [];
    const [onNone, onBroken] = [jest.fn(), jest.fn()];
    let asked = 0;
    void followChanges(
      () => `/events?${asked++}`,
      (changes) => told.push(changes),
      { signal: end.signal, onNone, onBroken },
    );
    return { told, onNone, onBroken, end, urls: () => fetched.mock.calls.map(([url]) => url) };
  }

  it("is opened again when it ends, from where it was, after longer waits while it ends at once", async () => {
    const { told, urls, onBroken } = follow(() => streamOf(changesOf(1), changesOf(2)));
    await pass(10);
    expect(told).toEqual([{ n: 1 }, { n: 2 }]);
    await pass(2_000);
    expect(urls()).toEqual(["/events?0", "/events?1"]);
    await pass(3_000);
    expect(urls()).toHaveLength(2);
    await pass(1_000);
    expect(urls()).toHaveLength(3);
    await pass(300_000);
    expect(urls().length).toBeGreaterThan(10);
    expect(onBroken).not.toHaveBeenCalled();
  });

  it("says where there is none, and asks again after five minutes", async () => {
    const { onNone, urls } = follow(() => new Response(null, { status: 204 }));
    await pass(299_000);
    expect(onNone).toHaveBeenCalledTimes(1);
    await pass(2_000);
    expect(urls()).toHaveLength(2);
  });

  it.each([
    ["is refused", () => new Response('{"error":"gone","type":"NOT_FOUND"}', { status: 404 })],
    ["ends with a failure", () => streamOf('event: error\ndata: {"error":"gone","type":"NOT_FOUND"}\n\n')],
  ])("says when it %s", async (_how, answer) => {
    const { onBroken, end } = follow(answer);
    await pass(10);
    expect(onBroken).toHaveBeenCalledTimes(1);
    end.abort();
  });

  it("ends when its reader does", async () => {
    const { urls, end } = follow(() => streamOf(changesOf(1)));
    await pass(10);
    end.abort();
    await pass(100_000);
    expect(urls()).toHaveLength(1);
  });
});
