import { runJest } from "@/scripts/checks";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { summaryOf } from "@/scripts/test-counts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run test:vercel: builds what Vercel builds, with the CLI that package.json names, and runs its functions here.
runCommand(async () => {
  const result = await runJest("Vercel tests", [...process.argv.slice(2), "--selectProjects", "vercel"], console.log);
  const counts = result.counts ?? { passed: 0, failed: 1 };
  console.log(`\n${summaryOf(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});
