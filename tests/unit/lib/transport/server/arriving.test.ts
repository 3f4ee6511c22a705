/** @jest-environment node */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { PART_BYTES } from "@/lib/limits/bounds";
import { createArrivals } from "@/lib/transport/server/arriving";

const MAX = 100_000;

/** Bodies on their way; `send` is what Node's parser does. */
function opened() {
  const { arrive, used } = createArrivals(MAX);
  const began = (caller: string) => {
    const request = new IncomingMessage(new Socket());
    request.headers = { "content-length": "30000" };
    const { here, deliver, drop } = arrive(request, caller);
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

it("keeps a body from its reader until its turn has come", async () => {
  const { began, used } = opened();
  const body = began("ann");
  const read = text(body.request);
  body.send(10_000);
  body.send(20_000);
  body.end();
  await settled();
  expect([body.outcome(), body.request.readableLength]).toEqual(["here", 0]);
  body.deliver();
  expect(await read).toHaveLength(30_000);
  expect(used()).toBe(0);
});

it("ends a body that nobody will read", async () => {
  const { began, used } = opened();
  const body = began("ann");
  const read = text(body.request);
  body.send(10_000);
  body.drop();
  body.send(20_000);
  body.end();
  expect([await read, used()]).toEqual(["", 0]);
});

it("lets the first body make way of the caller who has most, though it is here already", async () => {
  const { began } = opened();
  const calm = began("calm");
  calm.send(9_000);
  const [first, second, third] = [began("busy"), began("busy"), began("busy")];
  first.send(30_000);
  first.end();
  second.send(20_000);
  await settled();
  expect(first.outcome()).toBe("here");
  third.send(15_000);
  expect(first.deliver).toThrow(expect.objectContaining({ type: "SERVICE_UNAVAILABLE" }));
  await settled();
  expect([calm, second, third].map(({ outcome }) => outcome())).toEqual(["arriving", "arriving", "arriving"]);
});

it("counts what each part takes of memory beside its bytes", async () => {
  const { began } = opened();
  const body = began("ann");
  for (let sent = 0; sent < MAX / PART_BYTES; sent++) body.send(1);
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
