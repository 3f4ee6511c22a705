import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runE2e } from "@/scripts/e2e";
import { runCommand } from "@/scripts/progress";
import { createShutdown } from "@/scripts/shutdown";
import { GALLERY, GALLERY_FOLDER, GALLERY_VIEWS } from "@/tests/support/gallery";

const shutdown = createShutdown();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) {
  process.on(signal, () => shutdown.run().then(() => process.exit(130)));
}

// npm run screens: every screen is looked at as by the e2e test of the same name, and the pictures are kept.
runCommand(async () => {
  rmSync(GALLERY_FOLDER, { recursive: true, force: true });
  mkdirSync(GALLERY_FOLDER, { recursive: true });
  process.env.KEEP_SCREENS = "1";
  try {
    const { failed } = await runE2e(["screens"], shutdown);
    writeFileSync(path.join(GALLERY_FOLDER, "README.md"), gallery());
    console.log(`The pictures lie in ${GALLERY_FOLDER}.`);
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
  return `# Screens\n\nMade anew by \`npm run screens\`.\n\n${parts.join("\n")}`;
}
