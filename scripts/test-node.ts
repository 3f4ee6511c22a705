import path from "node:path";
import { runChild } from "@/scripts/child";
import { fetchNode, type OtherNode } from "@/scripts/other-node";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { type Counts, countsOfLine, countsOfRun, sum, summaryOf } from "@/scripts/test-counts";
import { chosenNodes } from "@/scripts/test-node-versions";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run test:node -- [majors] [command …]: test commands on other versions of Node.js, by default `test check` and
// `test api` on all. A version that cannot be had is skipped with the reason.
runCommand(async () => {
  const { majors, commands } = chosenNodes(process.argv.slice(2));
  const counts: Counts[] = [];
  const lines: string[] = [];
  for (const major of majors) {
    const node = await fetchNode(major);
    if (typeof node === "string") {
      lines.push(`Node ${major} was skipped. ${node}`);
      continue;
    }
    for (const command of commands) {
      console.log(`\n── Node ${node.version}: ${command.join(" ")} ──`);
      const result = await runOn(node, command);
      counts.push(result);
      lines.push(`Node ${node.version}: ${command.join(" ")}: ${result.passed} passed, ${result.failed} failed`);
    }
  }
  const total = sum(counts);
  console.log(`\n${lines.join("\n")}\n${summaryOf(total)}`);
  return total.failed === 0 ? 0 : 1;
});

/** Runs one of our npm commands; everything it starts finds this Node.js first. */
async function runOn({ program }: OtherNode, command: string[]): Promise<Counts> {
  const env = { ...process.env, PATH: [path.dirname(program), process.env.PATH].join(path.delimiter) };
  let counts: Counts | undefined;
  const ran = await runChild([program, path.join("scripts", "setup.mjs"), ...command], {
    env,
    onLine: (line) => {
      console.log(line);
      counts = countsOfLine(line) ?? counts;
    },
  });
  return countsOfRun(command, ran.code, counts);
}
