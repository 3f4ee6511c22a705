import { startLocalInngest } from "@/inngest/local-server/server";
import { runCommand } from "@/scripts/progress";

/** The embedded engine in a process of its own, which forgets everything when it is killed: `run-engine.ts <port> <app>`. */
const [port = "", appUrl = ""] = process.argv.slice(2);

runCommand(async () => {
  const { INNGEST_SIGNING_KEY, INNGEST_EVENT_KEY } = process.env;
  const keys = INNGEST_SIGNING_KEY ? { signingKey: INNGEST_SIGNING_KEY, eventKey: INNGEST_EVENT_KEY } : {};
  const { url } = await startLocalInngest({ appUrl, port: Number(port), syncEveryMs: "never", ...keys });
  console.log(`Stack ready ${JSON.stringify({ url })}`);
  return new Promise<number>(() => undefined);
});
