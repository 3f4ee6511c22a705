/** @jest-environment node */
import { createRefusedCallers } from "@/lib/events/refused-callers";
import { SHARED_ADDRESS } from "@/lib/limits/address";
import { ENGINE_FAILURES } from "@/lib/limits/bounds";

it("refuses an address after twenty failures, until their minute is over", () => {
  let now = 0;
  const callers = createRefusedCallers(() => now);
  for (let times = 1; times < ENGINE_FAILURES; times++) callers.note("192.0.2.1");
  callers.assertWelcome("192.0.2.1");
  callers.note("192.0.2.1");
  now = 20_000;
  expect(() => callers.assertWelcome("192.0.2.1")).toThrow(expect.objectContaining({ retryAfter: 40 }));
  callers.assertWelcome("192.0.2.2");
  now = 60_000;
  callers.assertWelcome("192.0.2.1");
});

it("does not refuse an address for ten minutes after a verified call", () => {
  let now = 0;
  const callers = createRefusedCallers(() => now);
  const fail = () => {
    for (let times = 0; times < ENGINE_FAILURES; times++) callers.note("192.0.2.1");
  };
  callers.trust("192.0.2.1");
  fail();
  callers.assertWelcome("192.0.2.1");
  now = 600_000;
  fail();
  expect(() => callers.assertWelcome("192.0.2.1")).toThrow();
});

it("does not count clients that share an unknown address: the engine may be one of them", () => {
  const callers = createRefusedCallers();
  for (let times = 0; times < 10 * ENGINE_FAILURES; times++) callers.note(SHARED_ADDRESS);
  callers.assertWelcome(SHARED_ADDRESS);
});
