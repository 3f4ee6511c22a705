import { createInFlight } from "@/lib/utils/in-flight";

it("does a thing once for all who ask while it is being done, and again afterwards", async () => {
  const once = createInFlight<number>();
  let begun = 0;
  let end: () => void = () => undefined;
  const work = () => new Promise<number>((resolve) => (end = () => resolve(++begun)));
  const asked = [once("a", work), once("a", work)];
  const other = once("b", async () => 9);
  end();
  expect(await Promise.all([...asked, other])).toEqual([1, 1, 9]);
  const later = once("a", work);
  end();
  expect(await later).toBe(2);
});

it("lets a failure be tried again", async () => {
  const once = createInFlight<number>();
  const failed = once("a", () => Promise.reject(new Error("no")));
  await expect(Promise.all([failed, once("a", async () => 1)])).rejects.toThrow("no");
  expect(await once("a", async () => 2)).toBe(2);
});
