/** @jest-environment node */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { CHUNK_OVERHEAD } from "@/lib/limits/bounds";
import { createBodyBuffer } from "@/lib/transport/server/body-buffer";

const MAX = 100_000;

/** A buffer, and bodies that are sent to it as Node's parser does. */
function opened() {
  const { buffer, used } = createBodyBuffer(MAX);
  const began = (caller: string) => {
    const request = new IncomingMessage(new Socket());
    request.headers = { "content-length": "30000" };
    const { complete, deliver, drop } = buffer(request, caller);
    let outcome = "incomplete";
    complete.then(
      () => {
        outcome = "complete";
      },
      (error: { type?: string }) => {
        outcome = error.type ?? "gone";
      },
    );
    return {
      request,
      deliver,
      drop,
      outcome: () => outcome,
      send: (bytes: number) => request.push(Buffer.alloc(bytes, "x")),
      end: () => request.push(null),
    };
  };
  return { began, used };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("buffers a body until it is delivered", async () => {
  const { began, used } = opened();
  const body = began("ann");
  const read = text(body.request);
  body.send(10_000);
  body.send(20_000);
  body.end();
  await settled();
  expect([body.outcome(), body.request.readableLength]).toEqual(["complete", 0]);
  body.deliver();
  expect(await read).toHaveLength(30_000);
  expect(used()).toBe(0);
});

it("frees a body that is dropped, and ends its stream", async () => {
  const { began, used } = opened();
  const body = began("ann");
  const read = text(body.request);
  body.send(10_000);
  body.drop();
  body.send(20_000);
  body.end();
  expect([await read, used()]).toEqual(["", 0]);
});

it("evicts the oldest body of the caller that holds the most, even a complete one", async () => {
  const { began } = opened();
  const calm = began("calm");
  calm.send(9_000);
  const [first, second, third] = [began("busy"), began("busy"), began("busy")];
  first.send(30_000);
  first.end();
  second.send(10_000);
  await settled();
  expect(first.outcome()).toBe("complete");
  const late = began("late");
  expect(first.deliver).toThrow(expect.objectContaining({ type: "SERVICE_UNAVAILABLE" }));
  await settled();
  for (const { outcome } of [calm, second, third, late]) expect(outcome()).toBe("incomplete");
});

it("counts the overhead of each chunk", async () => {
  const { began } = opened();
  const body = began("ann");
  for (let sent = 0; sent < MAX / CHUNK_OVERHEAD; sent++) body.send(1);
  await settled();
  expect(body.outcome()).toBe("SERVICE_UNAVAILABLE");
});

it("frees the body of a client that has gone", async () => {
  const { began, used } = opened();
  const body = began("ann");
  body.send(10_000);
  body.request.on("error", () => undefined).destroy();
  await settled();
  expect([body.outcome(), used()]).toEqual(["gone", 0]);
});
