import { createSingleFlight } from "@/lib/utils/single-flight";

it("shares one run between concurrent callers, and runs again afterwards", async () => {
  const once = createSingleFlight<number>();
  let begun = 0;
  let end: () => void = () => undefined;
  const work = () => new Promise<number>((resolve) => (end = () => resolve(++begun)));
  const callers = [once("a", work), once("a", work)];
  const other = once("b", async () => 9);
  end();
  expect(await Promise.all([...callers, other])).toEqual([1, 1, 9]);
  const later = once("a", work);
  end();
  expect(await later).toBe(2);
});

it("runs again after a failure", async () => {
  const once = createSingleFlight<number>();
  const failed = once("a", () => Promise.reject(new Error("no")));
  await expect(Promise.all([failed, once("a", async () => 1)])).rejects.toThrow("no");
  expect(await once("a", async () => 2)).toBe(2);
});
