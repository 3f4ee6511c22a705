import { openDatabase } from "@/scripts/database";
import { loadEnvFiles } from "@/scripts/env-files";
import { runCommand } from "@/scripts/progress";
import { claimFolder } from "@/scripts/running";

// npm run migrate: brings the database of the environment, or the embedded one, up to date.
runCommand(async () => {
  loadEnvFiles();
  const { DATABASE_URL, DIRECT_DATABASE_URL } = process.env;
  // The embedded one is stopped afterwards: it must not be the one that somebody is working with.
  const claim = DATABASE_URL ? undefined : await claimFolder(".data", "no port");
  try {
    const database = await openDatabase({ DATABASE_URL, DIRECT_DATABASE_URL }, ".data", console.log);
    await database.stop();
  } finally {
    claim?.release();
  }
  console.log("The database is up to date.");
  return 0;
});
