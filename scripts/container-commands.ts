/** `node commands.cjs <command> …` in the image: the npm commands that work on the database, bundled into one file. */
const COMMANDS: Record<string, () => Promise<unknown>> = {
  migrate: () => import("@/scripts/migrate-command"),
  backup: () => import("@/scripts/backup-command"),
  restore: () => import("@/scripts/restore-command"),
  "keys:rotate": () => import("@/scripts/keys-rotate-command"),
};

// The commands read the arguments that are left.
const [command = ""] = process.argv.splice(2, 1);
const load = COMMANDS[command];
if (load) load();
else {
  console.error(`Commands: ${Object.keys(COMMANDS).join(", ")}.`);
  process.exitCode = 1;
}

export {};
