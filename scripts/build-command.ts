import { parseArgs } from "node:util";
import { build } from "@/scripts/build";
import { buildStandalone } from "@/scripts/build-standalone";
import { runCommand, step } from "@/scripts/progress";

// npm run build: builds for npm start. With --standalone: a folder that needs nothing else, for the Dockerfile.
runCommand(async () => {
  const { values } = parseArgs({ options: { standalone: { type: "boolean", default: false } } });
  const root = process.cwd();
  if (values.standalone) await step(console.log, "Building the app for a container", () => buildStandalone(root));
  else await step(console.log, "Building the app", () => build(root));
  return 0;
});
