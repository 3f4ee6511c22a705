import { rotateKeys, rotationReport } from "@/scripts/keys-rotate";
import { runCommand } from "@/scripts/progress";
import { loadSecrets } from "@/scripts/secrets";
import { withDatabase } from "@/scripts/with-database";

// npm run keys:rotate: re-encrypts every stored secret with the first key of ENCRYPTION_KEYS.
runCommand(() =>
  withDatabase(async ({ url }) => {
    const rotation = await rotateKeys(url, process.env.ENCRYPTION_KEYS || loadSecrets(".data").ENCRYPTION_KEYS);
    console.log(rotationReport(rotation));
    return rotation.unopened.length === 0 ? 0 : 1;
  }),
);
