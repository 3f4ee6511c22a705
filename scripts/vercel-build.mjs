// Builds a Vercel deployment: generated files, migrations, app. Plain JavaScript: it runs before anything is generated.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { generateOperations } from "./generate-operations.mjs";

const { VERCEL_ENV, PREVIEW_DATABASE, DATABASE_URL, DIRECT_DATABASE_URL } = process.env;

if (VERCEL_ENV === "preview" && PREVIEW_DATABASE !== "true") {
  fail(`This preview was not built, because building it would apply its migrations to the database of DATABASE_URL, and nothing
says yet that this is not production's.
  1. Create a database for previews.
  2. In the project's settings at Vercel, set DATABASE_URL (and DIRECT_DATABASE_URL) to it for "Preview" alone.
  3. Set PREVIEW_DATABASE=true for "Preview" alone, and build again.`);
}
if (!DIRECT_DATABASE_URL && !DATABASE_URL) fail("DATABASE_URL is not set in this environment; see .env.example.");

await generateOperations().catch(({ message }) => fail(message));
run("prisma/build/index.js", ["generate"], { CHECKPOINT_DISABLE: "1" });
run("prisma/build/index.js", ["migrate", "deploy"], { CHECKPOINT_DISABLE: "1" });
run("next/dist/bin/next", ["build"], { NEXT_TELEMETRY_DISABLED: "1" });

function run(program, args, environment) {
  console.log(`> ${program.split("/")[0]} ${args.join(" ")}`);
  const { status } = spawnSync(process.execPath, [path.join("node_modules", program), ...args], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
