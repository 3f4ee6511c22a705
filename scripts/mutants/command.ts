import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { BY_HAND } from "@/scripts/mutants/by-hand";
import { EQUIVALENT } from "@/scripts/mutants/equivalent";
import { judge } from "@/scripts/mutants/judge";
import { type Mutant, mutate, sample } from "@/scripts/mutants/mutant";
import { asDiff, isEquivalent, type Judged, outdated, report } from "@/scripts/mutants/report";
import { createSandbox, type Sandbox } from "@/scripts/mutants/sandbox";
import { type Room, roomsOf, testsFor } from "@/scripts/mutants/suites";
import { mutantsOf } from "@/scripts/mutants/typescript";
import { runCommand, seconds } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { startTestPostgres, type TestPostgres } from "@/tests/support/test-postgres";

type Candidate = { mutant: Mutant; source: string; folder: string };

const TIMEOUT_MS = 120_000;
const BASELINE_TIMEOUT_MS = 20 * 60_000;

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run mutants -- <folder> [--files REGEX] [--kind SQL] [--sample N] [--seed S] [--list]; --by-hand: only the hand-
// written ones.
runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      files: { type: "string", default: "" },
      kind: { type: "string", default: "" },
      list: { type: "boolean", default: false },
      "by-hand": { type: "boolean", default: false },
    },
  });
  const rooms = roomsOf(positionals);
  const all = rooms.flatMap((room) => (values["by-hand"] ? handWritten(room) : generated(room)));
  const outOfDate = values["by-hand"] ? [] : outdated(listedIn(rooms), all);
  for (const { file, from } of outOfDate) console.log(`scripts/mutants/equivalent is out of date: ${file}: ${from}`);
  const files = new RegExp(values.files);
  const matching = all.filter(({ mutant }) => files.test(mutant.file) && mutant.kind.startsWith(values.kind));
  const testable = matching.filter(({ mutant, source }) => !isEquivalent(source, mutant, EQUIVALENT));
  const chosen = values.sample
    ? rooms.flatMap(({ folder }) =>
        sample(
          testable.filter((one) => one.folder === folder),
          Number(values.sample),
          Number(values.seed),
        ),
      )
    : testable;
  console.log(
    `${chosen.length} of ${matching.length} mutants, ${matching.length - testable.length} listed as equivalent`,
  );
  if (values.list) {
    for (const { mutant, source } of chosen) console.log(asDiff(source, mutant).join("\n"));
    return 0;
  }
  try {
    const { lines, meetsThreshold } = report(await judgeAll(chosen));
    for (const line of lines) console.log(line);
    return meetsThreshold && outOfDate.length === 0 ? 0 : 1;
  } finally {
    await shutdown.run();
  }
});

function generated({ folder }: Room): Candidate[] {
  return filesOf(folder).flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return mutantsOf(file, source).map((mutant) => ({ mutant, source, folder }));
  });
}

function handWritten({ folder }: Room): Candidate[] {
  return BY_HAND.filter(({ file }) => file.startsWith(`${folder}/`)).flatMap(({ file, text, replacement, fault }) => {
    const source = existsSync(file) ? readFileSync(file, "utf8") : "";
    const start = source.indexOf(text);
    if (start === -1 || source.includes(text, start + 1)) {
      console.log(`scripts/mutants/by-hand.ts is out of date: ${file}: ${fault}`);
      return [];
    }
    const kind = /\/sql(\.ts$|\/)/.test(file) ? "SQL" : "TypeScript";
    return [{ mutant: { file, kind, start, end: start + text.length, replacement }, source, folder }];
  });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll("\\", "/")))
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
}

function listedIn(rooms: Room[]) {
  return EQUIVALENT.filter(({ file }) => rooms.some(({ folder }) => file.startsWith(`${folder}/`)));
}

async function judgeAll(candidates: Candidate[]): Promise<Judged[]> {
  if (candidates.length === 0) return [];
  const sandbox = createSandbox();
  await shutdown.add(sandbox.remove);
  const postgres = await startTestPostgres(1);
  await shutdown.add(() => postgres.stop());
  const timeouts = new Map<string, number>();
  const judged: Judged[] = [];
  for (const candidate of candidates) {
    const { mutant, source, folder } = candidate;
    const tests = testsFor(mutant.file);
    const timeout = timeouts.get(folder) ?? (await measureTimeout(allTests(candidates, folder), sandbox, postgres));
    timeouts.set(folder, timeout);
    const began = performance.now();
    const work = () => judge(sandbox, postgres, tests, timeout);
    const { fate, by } = await sandbox.withFile(mutant.file, mutate(source, mutant), work);
    judged.push({ ...candidate, fate });
    const place = `${judged.length}/${candidates.length}`;
    console.log([place, fate, asDiff(source, mutant)[0], by && `by ${by}`, seconds(began)].filter(Boolean).join("  "));
  }
  return judged;
}

function allTests(candidates: Candidate[], folder: string): string[] {
  const files = candidates.filter((one) => one.folder === folder).map(({ mutant }) => mutant.file);
  return [...new Set(files.flatMap((file) => testsFor(file)))];
}

/**
 * The tests must pass without a mutant; a mutant that makes them take three times as long counts as an endless loop.
 */
async function measureTimeout(tests: string[], sandbox: Sandbox, postgres: TestPostgres): Promise<number> {
  const began = performance.now();
  const { fate, by } = await judge(sandbox, postgres, tests, BASELINE_TIMEOUT_MS);
  if (fate !== "survived") throw new Error(`The tests fail without a mutant: ${by}`);
  console.log(`✓ ${tests.join(" ")} (${seconds(began)})`);
  return Math.max(TIMEOUT_MS, 3 * (performance.now() - began));
}
