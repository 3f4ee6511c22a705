/** @jest-environment node */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { createArrivals } from "@/lib/transport/server/arriving";

const MAX = 100_000;

/** Bodies on their way; `send` is what Node's parser does. */
function opened() {
  const { arrive, used } = createArrivals(MAX);
  const began = (caller: string) => {
    const request = new IncomingMessage(new Socket());
    request.headers = { "content-length": "30000" };
    const { here, release } = arrive(request, caller);
    let outcome = "arriving";
    here.then(
      () => {
        outcome = "here";
      },
      (error: { type?: string }) => {
        outcome = error.type ?? "gone";
      },
    );
    return {
      request,
      release,
      outcome: () => outcome,
      send: (bytes: number) => request.push(Buffer.alloc(bytes, "x")),
      end: () => request.push(null),
    };
  };
  return { began, used };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("keeps a body from its reader until all of it is here", async () => {
  const { began, used } = opened();
  const body = began("ann");
  const read = text(body.request);
  body.send(10_000);
  await settled();
  expect(body.request.readableLength).toBe(0);
  body.send(20_000);
  body.end();
  expect(await read).toHaveLength(30_000);
  body.release();
  expect([body.outcome(), used()]).toEqual(["here", 0]);
});

it("lets the first body make way of the caller who has most, and not what is here already", async () => {
  const { began } = opened();
  const complete = began("busy");
  complete.send(30_000);
  complete.end();
  const calm = began("calm");
  calm.send(9_000);
  const [first, second] = [began("busy"), began("busy")];
  first.send(10_000);
  second.send(20_000);
  await settled();
  expect([complete, calm, first, second].map(({ outcome }) => outcome())).toEqual([
    "here",
    "arriving",
    "SERVICE_UNAVAILABLE",
    "arriving",
  ]);
});

it("counts what each part takes of memory beside its bytes", async () => {
  const { began } = opened();
  const body = began("ann");
  for (let sent = 0; sent < MAX / 200; sent++) body.send(1);
  await settled();
  expect(body.outcome()).toBe("SERVICE_UNAVAILABLE");
});

it("keeps nothing of a client that has gone", async () => {
  const { began, used } = opened();
  const body = began("ann");
  body.send(10_000);
  body.request.on("error", () => undefined).destroy();
  await settled();
  expect([body.outcome(), used()]).toEqual(["gone", 0]);
});
