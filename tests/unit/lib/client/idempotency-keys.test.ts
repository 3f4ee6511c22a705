import { api, clearApiState } from "@/lib/client/api";
import { apiEvents } from "@/lib/client/event-stream";
import { idempotencyKey, setVersionReader } from "@/lib/client/idempotency-keys";

const fetchMock = jest.fn<Promise<Response>, [string, RequestInit]>();

beforeEach(() => {
  fetchMock.mockReset();
  global.fetch = fetchMock as unknown as typeof fetch;
  clearApiState();
});

const IDEAS = "/api/projects/1/generate-content-ideas";
const OUTLINE = "/api/content/7d6f1a52-7d0b-4b57-8f0e-2f5a8d0c1b9e/generate-outline";
const input = { topicId: 1, ideasPerKeyword: 3 };

/** The key that a call was sent with, however it ended. */
async function keySent(call: () => Promise<unknown>): Promise<string | undefined> {
  const at = fetchMock.mock.calls.length;
  await call().catch(() => undefined);
  return new Headers(fetchMock.mock.calls[at]?.[1].headers).get("Idempotency-Key") ?? undefined;
}

const answering = (json: unknown, status = 200) =>
  fetchMock.mockImplementationOnce(async () => Response.json(json, { status }));
const ask = (body: unknown = input) => keySent(() => api("POST", IDEAS, body));

describe("a call that creates something or costs money keeps its key while its answer is lost", () => {
  it.each([
    ["no answer", () => fetchMock.mockRejectedValueOnce(new TypeError("Failed to fetch"))],
    ["a proxy's answer", () => fetchMock.mockResolvedValueOnce(new Response("<h1>Bad gateway</h1>", { status: 502 }))],
    ["an answer that breaks off", () => fetchMock.mockResolvedValueOnce(new Response('{"mess'))],
    ["the answer that it is still running", () => answering({ error: "Wait.", type: "ALREADY_RUNNING" }, 409)],
  ])("after %s", async (_what, happens) => {
    happens();
    const first = await ask();
    expect(first).toMatch(/^"[0-9a-f]{32}"$/);
    answering({});
    expect(await ask()).toBe(first);
  });

  it("while it is running", async () => {
    fetchMock.mockImplementation(() => new Promise(() => undefined));
    void api("POST", IDEAS, input);
    void api("POST", IDEAS, input);
    const [one, two] = fetchMock.mock.calls.map(([, init]) => init.headers);
    expect(one).toEqual(two);
  });
});

describe("a call gets a new key", () => {
  it("after its answer", async () => {
    answering({});
    answering({});
    expect(await ask()).not.toBe(await ask());
  });

  it("for another body, another address and another user", async () => {
    fetchMock.mockRejectedValue(new TypeError("Failed to fetch"));
    const keys = [
      await ask(),
      await ask({ ...input, ideasPerKeyword: 4 }),
      await keySent(() => api("POST", "/api/projects/2/generate-content-ideas", input)),
    ];
    clearApiState();
    keys.push(await ask());
    expect(new Set(keys).size).toBe(4);
  });

  it("after an error of ours, which says what became of the call", async () => {
    answering({ error: "Oh.", type: "INTERNAL" }, 500);
    answering({});
    expect(await ask()).not.toBe(await ask());
  });

  it("five minutes after its first attempt", () => {
    const call = { method: "POST", url: IDEAS, body: input };
    const first = idempotencyKey(call, 1_000);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(idempotencyKey(call, 300_999)).toBe(first);
    expect(idempotencyKey(call, 301_000)).not.toBe(first);
  });

  it("once its piece has changed", () => {
    let version = 1;
    setVersionReader((id) => (OUTLINE.includes(id) ? version : undefined));
    const call = { method: "POST", url: OUTLINE };
    const first = idempotencyKey(call);
    expect(idempotencyKey(call)).toBe(first);
    version = 2;
    expect(idempotencyKey(call)).not.toBe(first);
    setVersionReader(() => undefined);
  });
});

describe("a stream", () => {
  const stream = (text: string) => fetchMock.mockImplementationOnce(async () => new Response(text));
  const listen = () =>
    keySent(async () => {
      for await (const _ of apiEvents(OUTLINE));
    });

  it("keeps its key after a disconnect, and gets a new one after its end, also after an error", async () => {
    stream('event: section\ndata: {"index":0}\n\n');
    const first = await listen();
    stream('event: error\ndata: {"error":"Oh.","type":"INTERNAL"}\n\n');
    expect(await listen()).toBe(first);
    stream("event: done\ndata: {}\n\n");
    const second = await listen();
    expect(second).not.toBe(first);
    stream("event: done\ndata: {}\n\n");
    expect(await listen()).not.toBe(second);
  });

  it("gets a new key once this page has ended it, as a fourth stream or Escape does", async () => {
    const abort = new AbortController();
    fetchMock.mockImplementation((_url, init) => {
      return new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(new DOMException("Ended", "AbortError")));
      });
    });
    const sent = keySent(async () => {
      for await (const _ of apiEvents(OUTLINE, abort.signal));
    });
    abort.abort();
    const first = await sent;
    stream("event: done\ndata: {}\n\n");
    expect(await listen()).not.toBe(first);
  });
});

it("no other call has a key", async () => {
  fetchMock.mockImplementation(async () => Response.json({}));
  const others = [
    await keySent(() => api("PATCH", "/api/projects/1", { title: "A" })),
    await keySent(() => api("POST", "/api/queue/resume")),
    await keySent(() => api("GET", "/api/projects")),
  ];
  expect(others).toEqual([undefined, undefined, undefined]);
});

describe("a call that was not answered", () => {
  it("is the same with no body as with none said", () => {
    const key = idempotencyKey({ method: "POST", url: OUTLINE });
    expect(idempotencyKey({ method: "POST", url: OUTLINE, body: undefined })).toBe(key);
    expect(idempotencyKey({ method: "POST", url: OUTLINE, body: {} })).not.toBe(key);
  });
});
