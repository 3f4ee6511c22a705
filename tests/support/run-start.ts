import { runCommand } from "@/scripts/progress";
import { serve } from "@/scripts/serve";

/** Runs like `npm start`, with the services its environment names: `run-start.ts <folder> <port>`. */
const [folder = "", port = ""] = process.argv.slice(2);

runCommand(() =>
  serve(
    {
      mode: "start",
      folder,
      environment: { ...process.env, PORT: port, HOST: "127.0.0.1" },
      print: console.log,
      output: console.log,
    },
    ({ url, databaseUrl, environment: { AUTH_SECRET, ENCRYPTION_KEYS } }) =>
      console.log(`Stack ready ${JSON.stringify({ url, databaseUrl, secrets: { AUTH_SECRET, ENCRYPTION_KEYS } })}`),
  ),
);
