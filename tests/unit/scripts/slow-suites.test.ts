import path from "node:path";
import { slowSuites } from "@/scripts/slow-suites";

const suite = (name: string, seconds: number) => ({ name: path.resolve(name), startTime: 0, endTime: seconds * 1_000 });

it("names each suite that takes long without a reason in tests/slow.json", () => {
  const testResults = [
    suite("tests/api/new.test.ts", 31),
    suite("tests/api/quick.test.ts", 29),
    suite("tests/api/isolation.test.ts", 60),
    suite("tests/faults/publishing/kills.test.ts", 300),
  ];
  expect(slowSuites({ testResults }, 30)).toEqual([expect.stringContaining("tests/api/new.test.ts took 31 s")]);
});
