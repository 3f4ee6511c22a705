import path from "node:path";
import { logTo } from "@/scripts/log-file";
import { freePort } from "@/scripts/ports";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal, type Shutdown } from "@/scripts/shutdown";
import { type Stack, startStack } from "@/scripts/stack";
import type { Benchmark } from "@/tests/bench/benchmark";
import { editor } from "@/tests/bench/editor";
import { fairness } from "@/tests/bench/fairness";
import { library } from "@/tests/bench/library";
import { load } from "@/tests/bench/load";
import { pageWeight } from "@/tests/bench/page-weight";
import { publishing } from "@/tests/bench/publishing";
import { queue } from "@/tests/bench/queue";
import { seo } from "@/tests/bench/seo";

const BENCHMARKS: Benchmark[] = [pageWeight, editor, library, load, publishing, queue, fairness, seo];
const FOLDER = ".data/bench";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run bench -- <name> [its options]: runs one benchmark, most of them of the production build with the samples, on an empty database.
runCommand(async () => {
  const [name, ...args] = process.argv.slice(2);
  const benchmark = BENCHMARKS.find((one) => one.name === name);
  if (!benchmark) {
    console.log(`${name ? `There is no benchmark ${name}. ` : ""}npm run bench -- <name>:`);
    for (const { name, about } of BENCHMARKS) console.log(`  ${name.padEnd(14)}${about}`);
    return name ? 1 : 0;
  }
  if ("runAlone" in benchmark) {
    await benchmark.runAlone({ args, print: console.log });
    return 0;
  }
  try {
    const stack = await start(shutdown, await benchmark.environment?.());
    await benchmark.run({ stack, shutdown, args, print: console.log });
    return 0;
  } finally {
    await shutdown.run();
  }
});

/** Starts the stack as for the e2e tests, but the AI provider answers at once. */
async function start(shutdown: Shutdown, extra: Record<string, string> = {}): Promise<Stack> {
  const environment = {
    ...process.env,
    PORT: String(await freePort()),
    HOST: "",
    LOG_LEVEL: "warn",
    // A round signs in and loads more per minute than a user would.
    RATE_LIMIT_SCALE: "100",
    ...extra,
  };
  const output = logTo(path.join(FOLDER, "app.log"));
  // `extra` is passed as services too, to win over what the samples set.
  const options = { mode: "demo", folder: FOLDER, fresh: true, environment, services: extra } as const;
  return startStack({ ...options, print: console.log, output }, shutdown);
}
