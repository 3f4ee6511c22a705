import { parseArgs } from "node:util";
import { runJest } from "@/scripts/checks";
import { missingPackages, startDebianPostgres } from "@/scripts/debian-postgres";
import { OLDEST_POSTGRES } from "@/scripts/migrate";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { summaryOf } from "@/scripts/test-counts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run test:postgres -- [--server 16] [--direct] [--option=of-jest …]: the API tests on the oldest PostgreSQL that is supported,
// from Debian's packages, with PgBouncer in transaction mode between the app and the database unless --direct is given.
runCommand(async () => {
  const { values, tokens } = parseArgs({
    options: { server: { type: "string" }, direct: { type: "boolean" } },
    strict: false,
    tokens: true,
  });
  const version = Number(values.server ?? OLDEST_POSTGRES);
  const pooled = values.direct !== true;
  const forJest = tokens.flatMap((token) =>
    token.kind === "option" && !["server", "direct"].includes(token.name)
      ? [token.rawName + (token.value === undefined ? "" : `=${token.value}`)]
      : [],
  );
  const missing = missingPackages(version, pooled);
  if (missing.length > 0) {
    console.error(
      `The API tests did not run on PostgreSQL ${version}: on Debian, run apt-get install --no-install-recommends ${missing.join(" ")}`,
    );
    console.log(`\n${summaryOf({ passed: 0, failed: 1 })}`);
    return 1;
  }
  const server = await startDebianPostgres(version, pooled);
  await shutdown.add(server.stop);
  process.env.TEST_POSTGRES_URL = server.url;
  if (server.poolerPort) process.env.TEST_POOLER_PORT = String(server.poolerPort);
  const args = ["--maxWorkers=100%", ...forJest, "--selectProjects", "api"];
  const result = await runJest(`API tests on PostgreSQL ${version}`, args, console.log);
  await shutdown.run();
  const counts = result.counts ?? { passed: 0, failed: 1 };
  console.log(`\n${summaryOf(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});
