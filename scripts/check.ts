import { printSteps, runChecks } from "@/scripts/checks";
import { runCommand } from "@/scripts/progress";

// npm run check: checks everything that needs neither a database nor a browser.
runCommand(async () => {
  const began = performance.now();
  const results = await runChecks(["format", "types", "imports", "unused", "unit"]);
  return printSteps(results, began) ? 0 : 1;
});
