import { existsSync } from "node:fs";
import path from "node:path";
import { runJest } from "@/scripts/checks";
import { runCommand } from "@/scripts/progress";
import { createShutdown } from "@/scripts/shutdown";
import { closingLine } from "@/scripts/test-counts";

const PACKAGES =
  "wordpress wordpress-theme-twentytwentythree mariadb-server php-cli php-mysql php-gd php-curl php-mbstring php-xml php-zip";

const shutdown = createShutdown();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) {
  process.on(signal, () => shutdown.run().then(() => process.exit(130)));
}

// npm run test:wordpress: the publishing contract against a real WordPress of Debian's packages.
runCommand(async () => {
  const missing = ["php", "mariadbd", "mariadb-install-db"].filter((name) => !isInstalled(name));
  if (!existsSync("/usr/share/wordpress/wp-includes/version.php")) missing.push("wordpress");
  if (missing.length > 0) {
    console.error(
      `Missing for a real WordPress: ${missing.join(", ")}. Debian: apt-get install --no-install-recommends ${PACKAGES}`,
    );
    console.log(`\n${closingLine({ passed: 0, failed: 1 })}`);
    return 1;
  }
  const args = [...process.argv.slice(2), "--runInBand", "--selectProjects", "wordpress"];
  const result = await runJest("WordPress tests", args, console.log);
  const counts = result.counts ?? { passed: 0, failed: 1 };
  console.log(`\n${closingLine(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});

function isInstalled(program: string): boolean {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.some((folder) => existsSync(path.join(folder, program)));
}
