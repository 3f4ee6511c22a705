import { EventEmitter } from "node:events";
import { Agent, createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { drainWhenAsked } from "@/lib/transport/drain";

let server: Server;
let port: number;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const answers: (() => void)[] = [];

/** Asks over the one kept connection; tells what the server said of it. */
function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent }, (answer) => {
      answer.resume().on("end", () => resolve(answer.headers.connection));
    }).on("error", reject);
  });
}

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === "/slow") answers.push(() => response.end("done"));
    else response.end("done");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => agent.destroy());

it("ends each connection with its answer once the server was asked to end, and keeps it before", async () => {
  const asked = new EventEmitter();
  drainWhenAsked(asked);
  expect(await ask("/")).toBe("keep-alive");
  const inFlight = ask("/slow");
  while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  asked.emit("SIGTERM");
  const closed = new Promise((resolve) => server.close(resolve));
  for (const answer of answers.splice(0)) answer();
  expect(await inFlight).toBe("close");
  await closed;
  await expect(ask("/")).rejects.toThrow("ECONNREFUSED");
});
