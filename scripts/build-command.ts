import { build } from "@/scripts/build";
import { runCommand, step } from "@/scripts/progress";

runCommand(async () => {
  await step(console.log, "Building the app", () => build(process.cwd()));
  return 0;
});
