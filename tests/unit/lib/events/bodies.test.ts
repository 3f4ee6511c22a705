/** @jest-environment node */
import { readEngineBody } from "@/lib/events/bodies";
import { CHUNK_OVERHEAD, ENGINE_BYTES, ENGINE_LARGE_BODY } from "@/lib/limits/bounds";

const MAX = 5 * 1_048_576;

/** A call whose body arrives as told. */
function arriving(length?: number) {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller;
    },
  });
  const headers: Record<string, string> = length === undefined ? {} : { "content-length": String(length) };
  const request = { headers: new Headers(headers), body } as Request;
  const text = readEngineBody(request, MAX);
  text.catch(() => undefined);
  return {
    text,
    send: async (bytes: number) => {
      stream?.enqueue(new Uint8Array(bytes).fill(120));
      await new Promise((resolve) => setImmediate(resolve));
    },
    end: () => stream?.close(),
    breakOff: () => stream?.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
  };
}

afterEach(() => jest.useRealTimers());

it("reads a body that arrives in parts", async () => {
  const call = arriving(6);
  await call.send(2);
  await call.send(4);
  call.end();
  expect(await call.text).toBe("xxxxxx");
});

it("does not take one that breaks off for a database that is away", async () => {
  const call = arriving(6);
  await call.send(2);
  call.breakOff();
  await expect(call.text).rejects.toMatchObject({
    type: "VALIDATION_ERROR",
    message: "The body of this call broke off. Send it again.",
  });
});

it("refuses one that says it is too large, or turns out to be", async () => {
  await expect(arriving(MAX + 1).text).rejects.toMatchObject({ type: "PAYLOAD_TOO_LARGE" });
  const call = arriving();
  await call.send(MAX + 1);
  await expect(call.text).rejects.toMatchObject({ type: "PAYLOAD_TOO_LARGE" });
});

it("gives up five seconds after the first byte", async () => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "queueMicrotask", "nextTick"] });
  const call = arriving(100);
  await call.send(1);
  jest.advanceTimersByTime(4_900);
  await call.send(1);
  jest.advanceTimersByTime(200);
  await expect(call.text).rejects.toThrow("The body of this call took too long to arrive. Send it again.");
});

it("lets the unfinished body that began first make way, so that a call of the engine is read beside any number of others", async () => {
  const others = Array.from({ length: 40 }, () => arriving(ENGINE_LARGE_BODY));
  for (const other of others) await other.send(ENGINE_LARGE_BODY - 1);
  const call = arriving(ENGINE_LARGE_BODY);
  await call.send(ENGINE_LARGE_BODY);
  call.end();
  expect(await call.text).toHaveLength(ENGINE_LARGE_BODY);
  const outcomes = await Promise.all(
    others.map(({ text }) => Promise.race([text, Promise.resolve("waits")]).catch((error) => error.type)),
  );
  const held = ENGINE_BYTES / ENGINE_LARGE_BODY;
  expect(outcomes.slice(0, -held)).toEqual(Array(others.length - held).fill("SERVICE_UNAVAILABLE"));
  expect(outcomes.at(-1)).toBe("waits");
});

it("counts the overhead of each chunk", async () => {
  const call = arriving(ENGINE_LARGE_BODY);
  for (let sent = 0; sent < ENGINE_BYTES / CHUNK_OVERHEAD; sent++) void call.send(1);
  await expect(call.text).rejects.toMatchObject({ type: "SERVICE_UNAVAILABLE" });
});
