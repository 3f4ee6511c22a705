import { createServer, type ServerResponse } from "node:http";
import pg from "pg";
import { log } from "@/lib/log";
import { exitWithLauncher } from "@/lib/transport/launcher";
import { guardServer } from "@/lib/transport/server/guard";
import { ignoreBrokenPipe } from "@/lib/utils/broken-pipe";

/**
 * Stands in for the built app where only its process matters: it is ready once the database responds, identifies
 * itself, and exits like Next.js, also when its launcher dies (with the app's own code).
 */
const { DATABASE_URL, BOOT_ID, HOST, PORT } = process.env;

ignoreBrokenPipe();
guardServer();
exitWithLauncher();

const server = createServer(async (request, response) => {
  if (request.url === "/crash") process.exit(9);
  if (request.url === "/slow") return answerSlowly(response);
  if (request.url === "/api/inngest") response.writeHead(404).end();
  else response.writeHead((await answers()) ? 200 : 503).end(JSON.stringify({ pid: process.pid, bootId: BOOT_ID }));
});
/** Flushes the headers first, so that the client knows it was accepted. */
async function answerSlowly(response: ServerResponse): Promise<void> {
  response.writeHead(200).flushHeaders();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  console.error("still answering");
  response.end(JSON.stringify({ pid: process.pid, bootId: BOOT_ID }));
}

server.listen(Number(PORT), HOST);
process.once("SIGTERM", () =>
  server.close(() => {
    // The pipe may have no reader any more.
    log.error("the last line");
    process.exit(143);
  }),
);

async function answers(): Promise<boolean> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
