import { spawn } from "node:child_process";
import path from "node:path";

/**
 * Logs in every way after its output has lost its reader. It exits with the number of uncaught errors, 98 if it then
 * keeps the CPU busy, or 99 if the errors do not end.
 */
const PROGRAM = `
  const { ignoreBrokenPipe } = require(process.argv[1]);
  const { log } = require(process.argv[2]);
  if (process.argv[3] === "drop") ignoreBrokenPipe();
  let uncaught = 0;
  // Next.js logs what is uncaught.
  process.on("uncaughtException", (error) => { if (++uncaught > 20) process.exit(99); console.error(error); });
  process.stdin.resume().on("end", () => {
    // One after the other: from Node 22 on, the console hides the failure of what is written in the same tick.
    const ways = [
      () => console.error("one"), () => console.log("two"),
      () => process.stdout.write("three\\n"), () => process.stderr.write("four\\n"),
      () => { for (let line = 0; line < 5000; line++) log.error({ line }, "five"); },
      () => log.fatal("six"),
    ];
    ways.forEach((write, at) => setTimeout(write, 10 * at));
    setTimeout(() => {
      const before = process.cpuUsage();
      setTimeout(() => {
        const { user, system } = process.cpuUsage(before);
        process.exit(user + system > 250_000 ? 98 : uncaught);
      }, 500);
    }, 200);
  });
`;

function exitCode(mode: "drop" | "as it was"): Promise<number | null> {
  const [output, log] = [path.resolve("lib/utils/broken-pipe.ts"), path.resolve("lib/log.ts")];
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

it("drops the lines that nobody reads, stays idle and exits normally", async () => {
  expect(await exitCode("drop")).toBe(0);
}, 30_000);

it("would otherwise log the failure to log endlessly", async () => {
  expect(await exitCode("as it was")).toBe(99);
}, 30_000);
