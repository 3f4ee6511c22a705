import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { z } from "zod";
import { readJson } from "@/scripts/json-file";

/** A suite may take ten seconds on a quiet machine. */
const MOST_SECONDS = 10;
/** Suites of these folders are meant to be quick; the others wait for real sites and faults. */
const QUICK = /^tests\/(unit|api)\//;

const report = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});

/** Lists the suites in jest's `--json` report that take long and are not named, with their reason, in tests/slow.json. */
export function slowSuites(json: unknown, most = MOST_SECONDS * slowdown()): string[] {
  const known = z.record(z.string(), z.string().min(1)).parse(readJson("tests/slow.json"));
  const { data } = report.safeParse(json);
  return (data?.testResults ?? []).flatMap(({ name, startTime, endTime }) => {
    const file = path.relative(process.cwd(), name);
    const seconds = (endTime - startTime) / 1_000;
    if (seconds <= most || !QUICK.test(file) || file in known) return [];
    return `✗ ${file} took ${Math.round(seconds)} s: make it quicker, or name it in tests/slow.json with the reason.`;
  });
}

/** How much longer than on a quiet machine something may take here: three times beside some other work, more beside much. */
function slowdown(): number {
  const [, ofFiveMinutes = 0] = loadavg();
  return Math.max(3, ofFiveMinutes / availableParallelism());
}
