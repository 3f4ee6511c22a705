import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runE2e } from "@/scripts/e2e";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { GALLERY, GALLERY_FOLDER, GALLERY_VIEWS } from "@/tests/support/gallery";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run screens: runs the e2e test of the same name and keeps its screenshots.
runCommand(async () => {
  rmSync(GALLERY_FOLDER, { recursive: true, force: true });
  mkdirSync(GALLERY_FOLDER, { recursive: true });
  process.env.KEEP_SCREENS = "1";
  try {
    const { failed } = await runE2e(["screens"], shutdown);
    writeFileSync(path.join(GALLERY_FOLDER, "README.md"), gallery());
    console.log(`The screenshots are in ${GALLERY_FOLDER}.`);
    return failed === 0 ? 0 : 1;
  } finally {
    await shutdown.run();
  }
});

function gallery(): string {
  const parts = Object.entries(GALLERY).map(([name, title]) => {
    const pictures = GALLERY_VIEWS.map((view) => `![${title}, ${view.replace("-", " px, ")}](${name}-${view}.png)`);
    return `## ${title}\n\n| ${GALLERY_VIEWS.join(" | ")} |\n|${"---|".repeat(GALLERY_VIEWS.length)}\n| ${pictures.join(" | ")} |\n`;
  });
  return `# Screens\n\nTaken by \`npm run screens\`.\n\n${parts.join("\n")}`;
}
