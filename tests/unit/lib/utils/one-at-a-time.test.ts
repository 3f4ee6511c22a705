import { oneAtATime } from "@/lib/utils/one-at-a-time";

it("begins each piece of work when the one before is done, and passes results and failures on", async () => {
  const run = oneAtATime();
  const order: string[] = [];
  const work = (name: string, result: () => string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
    return result();
  };
  const first = run(work("first", () => "one"));
  const second = run(
    work("second", () => {
      throw new Error("No.");
    }),
  );
  const third = run(work("third", () => "three"));
  expect(await Promise.allSettled([first, second, third])).toEqual([
    { status: "fulfilled", value: "one" },
    { status: "rejected", reason: new Error("No.") },
    { status: "fulfilled", value: "three" },
  ]);
  expect(order).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
