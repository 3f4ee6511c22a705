import { runCommand } from "@/scripts/progress";
import { serve } from "@/scripts/serve";
import { openIdEnvironment } from "@/tests/support/openid-environment";

/**
 * A stack in its own process, to be stopped or killed: `run-stack.ts <folder> <port> <latencyMs> <googlePort>`. Runs
 * like `npm run demo` and prints when it is ready.
 */
const [folder = "", port = "", latencyMs = "0", googlePort = ""] = process.argv.slice(2);

runCommand(() =>
  serve(
    {
      mode: "demo",
      folder,
      environment: { ...process.env, PORT: port, HOST: "", RATE_LIMIT_SCALE: "100" },
      services: googlePort ? openIdEnvironment(Number(googlePort)) : {},
      latencyMs: Number(latencyMs),
      print: console.log,
      output: console.log,
    },
    ({ url, appPid, account, samples, databaseUrl }) =>
      console.log(`Stack ready ${JSON.stringify({ url, appPid, account, samples, databaseUrl })}`),
  ),
);
