/** @jest-environment node */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createDeadline } from "@/lib/utils/deadline";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** In a function of its own, so that nothing else refers to the signals. */
function listen(): { reasons: unknown[] } {
  const reasons: unknown[] = [];
  const inner = createDeadline(100);
  const { signal } = createDeadline(60_000, inner.signal);
  signal.addEventListener("abort", () => reasons.push(signal.reason));
  return { reasons };
}

it("ends in time, though nothing but the combined signal refers to it", async () => {
  const { reasons } = listen();
  await wait(20);
  collectGarbage();
  await wait(150);
  expect(reasons).toEqual([expect.objectContaining({ name: "TimeoutError" })]);
});

it("ends with the first of the other signals, and not at all once cleared", async () => {
  const gone = new AbortController();
  const first = createDeadline(60_000, undefined, gone.signal);
  gone.abort("gone");
  expect(first.signal.reason).toBe("gone");
  first.clear();
  const second = createDeadline(10);
  second.clear();
  await wait(30);
  expect(second.signal.aborted).toBe(false);
});
