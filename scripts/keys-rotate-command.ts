import { openDatabase } from "@/scripts/database";
import { loadEnvFiles } from "@/scripts/env-files";
import { rotateKeys, rotationReport } from "@/scripts/keys-rotate";
import { runCommand } from "@/scripts/progress";
import { claimFolder } from "@/scripts/running";
import { keptSecrets } from "@/scripts/secrets";

// npm run keys:rotate: seals every stored secret again with the first key of ENCRYPTION_KEYS.
runCommand(async () => {
  loadEnvFiles();
  const { DATABASE_URL, DIRECT_DATABASE_URL, ENCRYPTION_KEYS } = process.env;
  // The embedded one is stopped afterwards: it must not be the one that somebody is working with.
  const claim = DATABASE_URL ? undefined : await claimFolder(".data", "no port");
  try {
    const database = await openDatabase({ DATABASE_URL, DIRECT_DATABASE_URL }, ".data", console.log);
    try {
      const rotation = await rotateKeys(database.url, ENCRYPTION_KEYS || keptSecrets(".data").ENCRYPTION_KEYS);
      console.log(rotationReport(rotation));
      return rotation.unopened.length === 0 ? 0 : 1;
    } finally {
      await database.stop();
    }
  } finally {
    claim?.release();
  }
});
