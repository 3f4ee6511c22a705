/** @jest-environment node */
import { FOLLOWERS_EACH, STREAMS_EACH } from "@/lib/limits/bounds";
import { endStreams, openStream } from "@/lib/limits/place";

it("lets a user have eight streams, another user as many, and a new one once one has ended", () => {
  const streams = Array.from({ length: STREAMS_EACH }, () => openStream("maren"));
  expect(() => openStream("maren")).toThrow(
    "You have 8 texts being written already. Wait until one is done, or stop one, then try again.",
  );
  openStream("jonas")();
  const [first] = streams;
  first?.();
  // Ending twice frees one.
  first?.();
  openStream("maren");
  expect(() => openStream("maren")).toThrow();
});

it("ends the oldest stream that can be ended for a fifth one, and for a text beyond eight streams", () => {
  const ended: number[] = [];
  const follow = (n: number) => openStream("ida", () => ended.push(n));
  for (let n = 1; n <= FOLLOWERS_EACH; n++) follow(n);
  expect(ended).toEqual([]);
  const closeFifth = follow(5);
  expect(ended).toEqual([1]);
  for (let n = FOLLOWERS_EACH; n < STREAMS_EACH; n++) openStream("ida");
  openStream("ida");
  expect(ended).toEqual([1, 2]);
  closeFifth();
  openStream("ida");
  expect(ended).toEqual([1, 2]);
});

it("ends all streams that can be ended when the process stops, and opens none of them after that", () => {
  const end = jest.fn();
  openStream("otto", end);
  endStreams();
  expect(end).toHaveBeenCalledTimes(1);
  expect(() => openStream("otto", end)).toThrow(expect.objectContaining({ type: "SERVICE_UNAVAILABLE" }));
  openStream("otto");
});
