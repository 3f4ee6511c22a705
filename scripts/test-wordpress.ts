import { existsSync } from "node:fs";
import path from "node:path";
import { runJest } from "@/scripts/checks";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { summaryLine } from "@/scripts/test-counts";

const PACKAGES =
  "wordpress wordpress-theme-twentytwentythree mariadb-server php-cli php-mysql php-gd php-curl php-mbstring php-xml php-zip";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// npm run test:wordpress: the publishing contract against a real WordPress from Debian's packages.
runCommand(async () => {
  const missing = ["php", "mariadbd", "mariadb-install-db"].filter((name) => !isInstalled(name));
  if (!existsSync("/usr/share/wordpress/wp-includes/version.php")) missing.push("wordpress");
  if (missing.length > 0) {
    console.error(
      `The WordPress tests need ${missing.join(", ")}: on Debian, run apt-get install --no-install-recommends ${PACKAGES}`,
    );
    console.log(`\n${summaryLine({ passed: 0, failed: 1 })}`);
    return 1;
  }
  const args = [...process.argv.slice(2), "--runInBand", "--selectProjects", "wordpress"];
  const result = await runJest("WordPress tests", args, console.log);
  const counts = result.counts ?? { passed: 0, failed: 1 };
  console.log(`\n${summaryLine(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});

function isInstalled(program: string): boolean {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.some((folder) => existsSync(path.join(folder, program)));
}
