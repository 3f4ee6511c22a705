import { spawn } from "node:child_process";
import path from "node:path";

/** Logs once its output has no reader any more, in each of the ways in which lines are written, then reports by its exit code. */
const PROGRAM = `
  const { dropUnwritable } = require(process.argv[1]);
  if (process.argv[2] === "drop") dropUnwritable(process.stdout, process.stderr);
  let uncaught = 0;
  // As Next.js does: what is uncaught is logged.
  process.on("uncaughtException", (error) => { if (++uncaught > 20) process.exit(99); console.error(error); });
  process.stdin.resume().on("end", () => {
    console.error("one"); console.log("two"); process.stdout.write("three\\n"); process.stderr.write("four\\n");
    setTimeout(() => process.exit(uncaught), 200);
  });
`;

function exitCode(mode: "drop" | "as it was"): Promise<number | null> {
  const output = path.resolve("lib/utils/output.ts");
  const child = spawn(process.execPath, ["--import", "tsx", "-e", PROGRAM, output, mode], { stdio: "pipe" });
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.end();
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

it("drops the lines that nobody reads any more", async () => {
  expect(await exitCode("drop")).toBe(0);
});

it("would otherwise log the failure to log, for ever", async () => {
  expect(await exitCode("as it was")).toBe(99);
});
