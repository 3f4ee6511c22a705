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

it("refuses work beyond its maximum before it begins, and takes it once other work has ended", async () => {
  const once = createSingleFlight<number>(1);
  const begun: string[] = [];
  let end: () => void = () => undefined;
  const first = once("a", () => new Promise((resolve) => (end = () => resolve(1))));
  const work = async () => begun.push("b");
  await expect(once("b", work)).rejects.toMatchObject({ type: "SERVICE_UNAVAILABLE" });
  expect(begun).toEqual([]);
  end();
  await first;
  expect(await once("b", work)).toBe(1);
});
