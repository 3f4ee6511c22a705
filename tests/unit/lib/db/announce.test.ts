/** @jest-environment node */
import { announceChange } from "@/lib/db/announce";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";

jest.mock("@/lib/db/pool", () => ({ pool: { query: jest.fn() } }));
const query = jest.mocked(pool.query as (...args: unknown[]) => Promise<unknown>);

beforeEach(() => {
  jest.useFakeTimers();
  query.mockReset().mockResolvedValue(undefined);
  env.DIRECT_DATABASE_URL = "postgresql://db/planner";
});
afterEach(() => {
  jest.runAllTimers();
  jest.useRealTimers();
});

const announced = () => query.mock.calls.map(([, values]) => (values as string[])[0]);

it("announces the first change at once, and those of the next quarter of a second together at its end", () => {
  for (const user of ["maren", "maren", "jonas", "maren"]) announceChange(user);
  expect(announced()).toEqual(["maren", "jonas"]);
  jest.advanceTimersByTime(249);
  expect(announced()).toEqual(["maren", "jonas"]);
  jest.advanceTimersByTime(1);
  expect(announced()).toEqual(["maren", "jonas", "maren"]);
});

it("announces at most four changes of a user a second", () => {
  for (let ms = 0; ms < 1_000; ms += 10) {
    announceChange("maren");
    jest.advanceTimersByTime(10);
  }
  jest.advanceTimersByTime(1_000);
  expect(query).toHaveBeenCalledTimes(5);
});

it("does not fail with the database", async () => {
  query.mockRejectedValue(new Error("away"));
  expect(() => announceChange("maren")).not.toThrow();
  await Promise.resolve();
});

it("says nothing where nobody can listen", () => {
  delete env.DIRECT_DATABASE_URL;
  announceChange("maren");
  expect(query).not.toHaveBeenCalled();
});
