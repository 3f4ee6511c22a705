import { aiTimes } from "@/lib/ai/times";
import { readEnv } from "@/lib/env";

it("are 180 seconds for the first byte, 60 of silence, and 600 for a call", () => {
  expect(aiTimes(readEnv({}))).toEqual({
    firstByteMs: 180_000,
    silenceMs: 60_000,
    callMs: 600_000,
    requestMs: null,
    secondCallMs: Number.POSITIVE_INFINITY,
  });
});

it("come from the environment, none longer than a call", () => {
  const times = { AI_FIRST_BYTE_SECONDS: "900", AI_SILENCE_SECONDS: "20", AI_CALL_SECONDS: "700" };
  expect(aiTimes(readEnv(times))).toMatchObject({ firstByteMs: 700_000, silenceMs: 20_000, callMs: 700_000 });
});

it("end a call on Vercel by itself, and leave a request time to save what there is", () => {
  const { callMs, requestMs, secondCallMs } = aiTimes(readEnv({ VERCEL: "1" }));
  expect(callMs).toBe(240_000);
  expect(Number(requestMs)).toBeLessThan(300_000);
  expect(secondCallMs + callMs).toBeLessThanOrEqual(Number(requestMs));
});
