// The entry point of the npm commands: installs packages and generates what is git-ignored if needed, then runs the command.
// Plain JavaScript with Node built-ins: on a fresh clone there is nothing else yet.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const COMMANDS = {
  demo: ["start.ts", "demo"],
  dev: ["start.ts", "dev"],
  start: ["start.ts", "start"],
  build: ["build-command.ts"],
  check: ["check.ts"],
  test: ["test.ts", "main"],
  "test:all": ["test.ts", "all"],
  "test:thorough": ["test.ts", "thorough"],
  "test:wordpress": ["test-wordpress.ts"],
  "test:faults": ["test-faults.ts"],
  "test:node": ["test-node.ts"],
  "test:postgres": ["test-postgres.ts"],
  "test:vercel": ["test-vercel.ts"],
  "test:inngest": ["test-inngest.ts"],
  screens: ["screens.ts"],
  bench: ["bench.ts"],
  migrate: ["migrate-command.ts"],
  "keys:rotate": ["keys-rotate-command.ts"],
  backup: ["backup-command.ts"],
  restore: ["restore-command.ts"],
  generate: [],
};
/** These run on what the product itself needs; all others need the test tools too. */
const WITHOUT_TEST_TOOLS = ["demo", "dev", "start", "build", "generate", "migrate", "keys:rotate", "backup", "restore"];
const OLDEST_NODE = [20, 19];
const CLIENT = path.join("lib", "db", "generated");

try {
  const [name, ...rest] = process.argv.slice(2);
  const command = COMMANDS[name];
  if (!command) fail(`Commands: ${Object.keys(COMMANDS).join(", ")}.`);
  requireNode();
  await installWhenMissing(!WITHOUT_TEST_TOOLS.includes(name));
  await generateWhenStale(name === "generate");
  const { generateOperations } = await import("./generate-operations.mjs");
  await generateOperations();
  if (command.length > 0) await run([...command, ...rest]);
} catch (error) {
  console.error(`\n${error.message}`);
  process.exit(1);
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(
    `Content Planner needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.versions.node}: see https://nodejs.org.`,
  );
}

/** Installs what the command needs. The test tools are added to an installation without them. */
async function installWhenMissing(withTools) {
  const missing = missingPackage(withTools);
  if (!missing) return;
  console.log(`  Packages: ${missing}`);
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const isBaseThere = withTools && !missingPackage(false);
  const how = isBaseThere ? ["install", "--no-save"] : ["ci"];
  const which = withTools ? "--include=dev" : "--omit=dev";
  const title = isBaseThere ? "Installing the test tools" : "Installing packages";
  // With NODE_ENV=production npm would skip the test tools.
  const problem = await runStep(title, [...npm, ...how, which, "--no-audit", "--no-fund"], { NODE_ENV: "development" });
  if (problem) fail(`${problem}\n\nInstalling the packages failed, see above: check the network, then run npm ci.`);
  const still = missingPackage(withTools);
  if (still) fail(`The packages are still incomplete (${still}): remove node_modules and run npm ci.`);
}

/** Compares the lock file with npm's record and the files on disk; returns the first difference. */
function missingPackage(withTools) {
  const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  let present;
  try {
    present = JSON.parse(readFileSync(path.join("node_modules", ".package-lock.json"), "utf8")).packages;
  } catch {
    return existsSync("node_modules") ? "the last installation did not finish" : "not installed yet";
  }
  for (const [place, entry] of Object.entries(wanted)) {
    // Optional packages depend on the platform.
    if (place === "" || entry.optional || entry.devOptional || entry.link || (entry.dev && !withTools)) continue;
    if (present[place]?.version !== entry.version) return `${place} does not match package-lock.json`;
    if (!existsSync(path.join(place, "package.json"))) return `${place} is missing`;
  }
  return undefined;
}

/** The stamp is inside the client's folder, so it vanishes with it. */
async function generateWhenStale(always) {
  const schema = readFileSync(path.join("prisma", "schema.prisma"));
  const prisma = readFileSync(path.join("node_modules", "prisma", "package.json"));
  const current = createHash("sha256").update(schema).update(prisma).digest("hex");
  const stamp = path.join(CLIENT, "schema.sha256");
  const fresh =
    existsSync(path.join(CLIENT, "client.ts")) && existsSync(stamp) && readFileSync(stamp, "utf8") === current;
  if (fresh && !always) return;
  const cli = [process.execPath, path.join("node_modules", "prisma", "build", "index.js"), "generate"];
  const problem = await runStep("Generating the database client", cli, {
    // Generating does not need the engine that Prisma would download.
    PRISMA_SCHEMA_ENGINE_BINARY: path.resolve("scripts", "no-schema-engine.sh"),
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  });
  if (problem) fail(`${problem}\n\nThe database client could not be generated from prisma/schema.prisma; see above.`);
  mkdirSync(CLIENT, { recursive: true });
  writeFileSync(stamp, current);
}

/** Runs a preparation step; returns its output if it failed. */
function runStep(name, [program, ...args], environment) {
  const began = Date.now();
  const elapsed = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  console.log(`  ${name} …`);
  const ticker = setInterval(() => console.log(`  ${name} … ${elapsed()}`), 15_000);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && program === "npm",
    });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
    const end = (problem) => {
      clearInterval(ticker);
      if (problem === undefined) console.log(`✓ ${name} (${elapsed()})`);
      resolve(problem);
    };
    child.once("error", (error) => end(String(error)));
    child.once("close", (code) => {
      const text = Buffer.concat(output).toString("utf8").trim().split("\n").slice(-30).join("\n");
      end(code === 0 ? undefined : text || `it exited with code ${code}`);
    });
  });
}

/** Runs the command's TypeScript in this terminal, forwarding signals and the exit code. */
function run([script, ...args]) {
  const tsx = createRequire(path.resolve("package.json")).resolve("tsx");
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--import", new URL(`file://${tsx}`).href, path.join("scripts", script), ...args],
    // The channel closes if this process is killed, so that the command does not stay behind.
    { stdio: ["inherit", "inherit", "inherit", "ipc"], env: { ...process.env, CHECKPOINT_DISABLE: "1" } },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const watch = watchParent(() => child.kill("SIGTERM"));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      clearInterval(watch);
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}

/** If npm was killed, stop the command too, so that the next start finds the port free. */
function watchParent(orphaned) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  const isOrphan = () => process.ppid !== parent || (npm && ![npm, undefined].includes(parentOfShell(parent)));
  return setInterval(() => isOrphan() && orphaned(), 200);
}

/** npm runs us through a shell that outlives it; undefined if the system cannot tell. */
function parentOfShell(pid) {
  try {
    if (!/^\S*sh\0-c\0/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"))) return undefined;
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

function fail(sentence) {
  throw new Error(sentence);
}
