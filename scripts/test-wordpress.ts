import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runJest } from "@/scripts/checks";
import { runChild } from "@/scripts/child";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { sum, summaryOf } from "@/scripts/test-counts";
import { fetchBuilds, WORDPRESS_PACKAGES, type WordPressBuild } from "@/scripts/wordpress-builds";
import { testedSites } from "@/scripts/wordpress-sites";

const shutdown = createShutdown();
exitOnSignal(shutdown);

let fetching: Promise<void> | undefined;

// npm run test:wordpress -- [--sites NAMES] [jest's options]: the publishing contract against real WordPress sites.
runCommand(async () => {
  const { sites: names, rest } = readArguments(process.argv.slice(2));
  const wanted = testedSites(names);
  const reasons = new Map<WordPressBuild, string | undefined>();
  for (const { build } of wanted.map(({ options }) => options)) {
    if (!reasons.has(build)) reasons.set(build, await reasonAgainst(build));
  }
  const sites = wanted.filter(({ options }) => !reasons.get(options.build));
  const missing = wanted.filter((site) => !sites.includes(site));
  const args = [...rest, "--runInBand", "--selectProjects", "wordpress"];
  process.env.WORDPRESS_SITES = sites.map(({ name }) => name).join(",");
  const result = sites.length > 0 ? await runJest("WordPress tests", args, console.log) : undefined;
  const ran = result ? (result.counts ?? { passed: 0, failed: 1 }) : { passed: 0, failed: 0 };
  for (const { name, options } of missing) console.error(`✗ ${name} was not tested. ${reasons.get(options.build)}`);
  const counts = sum([ran, { passed: 0, failed: missing.length }]);
  console.log(`\n${summaryOf(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});

/** Splits off the option that is ours; the rest is jest's. */
function readArguments(args: string[]): { sites: string | undefined; rest: string[] } {
  const { tokens } = parseArgs({ args, options: { sites: { type: "string" } }, strict: false, tokens: true });
  const ours = tokens.find((token) => token.kind === "option" && token.name === "sites");
  if (ours?.kind !== "option") return { sites: undefined, rest: args };
  return { sites: ours.value, rest: args.toSpliced(ours.index, ours.inlineValue ? 1 : 2) };
}

/** Returns a sentence that says what keeps this build from being tested here, if anything. Fetches it if needed. */
async function reasonAgainst(build: WordPressBuild): Promise<string | undefined> {
  const missing = await missingPackages(build);
  if (missing.length > 0) {
    return `It needs ${missing.join(", ")}: on Debian, run apt-get install --no-install-recommends ${WORDPRESS_PACKAGES}`;
  }
  if (build === "debian") return undefined;
  fetching ??= fetchBuilds(console.log);
  return fetching.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function missingPackages(build: WordPressBuild): Promise<string[]> {
  const programs = build === "debian" ? ["php", "curl", "mariadbd", "mariadb-install-db"] : ["php", "curl", "unzip"];
  const missing = programs.filter((name) => !isInstalled(name));
  if (build === "debian" && !existsSync("/usr/share/wordpress/wp-includes/version.php")) missing.push("wordpress");
  if (build !== "debian" && !missing.includes("php") && !(await hasSqlite())) missing.push("php-sqlite3");
  return missing;
}

function isInstalled(program: string): boolean {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.some((folder) => existsSync(path.join(folder, program)));
}

async function hasSqlite(): Promise<boolean> {
  const { lastLines } = await runChild(["php", "-m"], { env: process.env, keepLines: 1_000 });
  return lastLines.includes("pdo_sqlite");
}
