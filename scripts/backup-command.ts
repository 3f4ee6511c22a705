import { chosenFile } from "@/scripts/backup/arguments";
import { makeBackup } from "@/scripts/backup/backup";
import { runCommand } from "@/scripts/progress";
import { withDatabase } from "@/scripts/with-database";

// npm run backup -- <file>: writes everything in the database to the file, while the app runs. The keys stay out of it.
runCommand(() => {
  const file = chosenFile(process.argv.slice(2), "backup");
  return withDatabase(
    async ({ directUrl }) => {
      const { tables, rows } = await makeBackup(directUrl, file);
      console.log(
        `${file} has ${rows} rows of ${tables} tables. The keys are not in it: keep ENCRYPTION_KEYS elsewhere.`,
      );
      return 0;
    },
    { migrate: false, whileRunning: true },
  );
});
