/** @jest-environment node */
import { STREAMS_EACH } from "@/lib/limits/bounds";
import { openStream } from "@/lib/limits/place";

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
