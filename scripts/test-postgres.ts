import { parseArgs } from "node:util";
import { runJest } from "@/scripts/checks";
import { missingPackages, startDebianPostgres } from "@/scripts/debian-postgres";
import { OLDEST_POSTGRES } from "@/scripts/migrate";
import { runCommand } from "@/scripts/progress";
import { compareSchema } from "@/scripts/schema-dump";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { sum, summaryOf } from "@/scripts/test-counts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run test:postgres -- [--server 16] [--direct] [--option=of-jest …]: runs the API tests on the oldest supported
// PostgreSQL from Debian's packages, with PgBouncer in transaction mode between the app and the database unless --direct is
// given; before that it compares prisma/schema.sql with what the migrations make. --write-schema writes that file and runs
// no tests.
runCommand(async () => {
  const { values, tokens } = parseArgs({
    options: { server: { type: "string" }, direct: { type: "boolean" }, "write-schema": { type: "boolean" } },
    strict: false,
    tokens: true,
  });
  const version = Number(values.server ?? OLDEST_POSTGRES);
  const pooled = values.direct !== true;
  const forJest = tokens.flatMap((token) =>
    token.kind === "option" && !["server", "direct", "write-schema"].includes(token.name)
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
  const writes = values["write-schema"] === true;
  const problem = version === OLDEST_POSTGRES ? await compareSchema(server.url, writes) : undefined;
  if (writes) {
    await shutdown.run();
    return 0;
  }
  process.env.TEST_POSTGRES_URL = server.url;
  if (server.poolerPort) process.env.TEST_POOLER_PORT = String(server.poolerPort);
  const args = ["--maxWorkers=100%", ...forJest, "--selectProjects", "api"];
  const result = await runJest(`API tests on PostgreSQL ${version}`, args, console.log);
  await shutdown.run();
  const schema = problem ? { passed: 0, failed: 1, failures: [`✗ ${problem}`] } : { passed: 1, failed: 0 };
  const counts = sum([schema, result.counts ?? { passed: 0, failed: 1 }]);
  console.log(`\n${summaryOf(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});
