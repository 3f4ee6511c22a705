import { chosenFile } from "@/scripts/backup/arguments";
import { restoreBackup } from "@/scripts/backup/restore";
import { findUnreadable, unreadableReport } from "@/scripts/backup/unreadable";
import { runCommand } from "@/scripts/progress";
import { loadSecrets } from "@/scripts/secrets";
import { withDatabase } from "@/scripts/with-database";

// npm run restore -- <file>: restores into an empty database. Fails if there are secrets that nobody can read afterwards.
runCommand(() => {
  const file = chosenFile(process.argv.slice(2), "restore");
  return withDatabase(
    async ({ directUrl }) => {
      const { at, tables, rows, newerMigrations } = await restoreBackup(directUrl, file);
      console.log(`${rows} rows of ${tables} tables are as they were on ${at}. People sign in again.`);
      if (newerMigrations > 0) console.log(`${newerMigrations} newer migrations applied.`);
      const keys = process.env.ENCRYPTION_KEYS || loadSecrets(".data").ENCRYPTION_KEYS;
      const report = unreadableReport(await findUnreadable(directUrl, keys));
      if (report) console.error(`\n${report}`);
      return report ? 1 : 0;
    },
    { migrate: false },
  );
});
