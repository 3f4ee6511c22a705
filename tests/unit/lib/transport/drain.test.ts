import { EventEmitter } from "node:events";
import { Agent, createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { drainOnShutdown } from "@/lib/transport/drain";

let server: Server;
let port: number;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const pending: (() => void)[] = [];

/** Sends a request over the one kept-alive connection; returns the response's Connection header. */
function connectionAfter(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent }, (response) => {
      response.resume().on("end", () => resolve(response.headers.connection));
    }).on("error", reject);
  });
}

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === "/slow") pending.push(() => response.end("done"));
    else response.end("done");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => agent.destroy());

it("keeps connections alive, and closes each with its response during shutdown", async () => {
  const signals = new EventEmitter();
  drainOnShutdown(signals);
  expect(await connectionAfter("/")).toBe("keep-alive");
  const inFlight = connectionAfter("/slow");
  while (pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  signals.emit("SIGTERM");
  const closed = new Promise((resolve) => server.close(resolve));
  for (const respond of pending.splice(0)) respond();
  expect(await inFlight).toBe("close");
  await closed;
  await expect(connectionAfter("/")).rejects.toThrow("ECONNREFUSED");
});
