import { spawn } from "node:child_process";
import path from "node:path";

/**
 * Logs once its output has no reader any more, in each of the ways in which lines are written, and reports by its exit
 * code: how often something was uncaught, 98 when it kept its core busy afterwards.
 */
const PROGRAM = `
  const { dropUnwritable } = require(process.argv[1]);
  const { log } = require(process.argv[2]);
  if (process.argv[3] === "drop") dropUnwritable();
  let uncaught = 0;
  // As Next.js does: what is uncaught is logged.
  process.on("uncaughtException", (error) => { if (++uncaught > 20) process.exit(99); console.error(error); });
  process.stdin.resume().on("end", () => {
    console.error("one"); console.log("two"); process.stdout.write("three\\n"); process.stderr.write("four\\n");
    for (let line = 0; line < 5000; line++) log.error({ line }, "five");
    log.fatal("six");
    setTimeout(() => {
      const before = process.cpuUsage();
      setTimeout(() => {
        const { user, system } = process.cpuUsage(before);
        process.exit(user + system > 250_000 ? 98 : uncaught);
      }, 500);
    }, 100);
  });
`;

function exitCode(mode: "drop" | "as it was"): Promise<number | null> {
  const [output, log] = [path.resolve("lib/utils/output.ts"), path.resolve("lib/log.ts")];
  const node = ["--conditions=react-server", "--import", "tsx", "-e", PROGRAM, output, log, mode];
  const child = spawn(process.execPath, node, {
    stdio: "pipe",
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
  });
  const stuck = setTimeout(() => child.kill("SIGKILL"), 20_000);
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.end();
  return new Promise((resolve) =>
    child.once("exit", (code) => {
      clearTimeout(stuck);
      resolve(code);
    }),
  );
}

it("drops the lines that nobody reads any more, stays idle and ends when asked", async () => {
  expect(await exitCode("drop")).toBe(0);
}, 30_000);

it("would otherwise log the failure to log, for ever", async () => {
  expect(await exitCode("as it was")).toBe(99);
}, 30_000);
