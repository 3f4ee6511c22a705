import { judgedExamples } from "./examples";

/** Reading ease counts syllables by rule of thumb. */
const TOLERANCE = 1;

test.each(judgedExamples("open"))("$name", ({ example, judgement }) => {
  const { mark, value, what } = judgement;
  expect({ mark, what }).toEqual({ mark: example.mark, what });
  if (example.value !== null) expect(Math.abs((value ?? Number.NaN) - example.value)).toBeLessThanOrEqual(TOLERANCE);
});
