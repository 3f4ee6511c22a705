import { runCommand } from "@/scripts/progress";
import { withDatabase } from "@/scripts/with-database";

// npm run migrate: migrates the configured or the embedded database.
runCommand(async () => {
  await withDatabase(() => undefined);
  console.log("The database is up to date.");
  return 0;
});
