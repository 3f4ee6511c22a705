/** @jest-environment node */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { UNREAD_MS } from "@/lib/limits/bounds";
import { endUnread } from "@/lib/transport/server/unread";

/** More than the kernel keeps for a connection. */
const LARGE = Buffer.alloc(32 * 1_048_576, "x");

const inFlight = new Set<ServerResponse>();
let now = 0;
let look: () => void = () => undefined;
let server: Server;
let client: Socket;

beforeEach(async () => {
  server = createServer((request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (request.url === "/large") response.end(LARGE);
    else response.writeHead(200).write("begun");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endUnread(inFlight, {
    now: () => now,
    every: (_ms, work) => {
      look = work;
    },
  });
});
afterEach(() => {
  client.destroy();
  server.close();
});

/** Sends a request and reads nothing. */
async function ask(path: string): Promise<void> {
  client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  client.pause();
  client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  while (inFlight.size === 0) await pause();
  await pause(50);
}

async function take(bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const chunk = client.read() as Buffer | null;
    if (chunk) left -= chunk.length;
    else await once(client, "readable");
  }
  await pause(20);
}

function pause(ms = 5): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks every ten seconds for two minutes. */
async function passTwoMinutes(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  for (const end = now + 2 * UNREAD_MS; now < end; now += 10_000) {
    look();
    await meanwhile();
  }
  await pause(20);
}

it("ends a connection whose client takes nothing of its answer, and forgets the answer", async () => {
  await ask("/large");
  await passTwoMinutes();
  expect(inFlight.size).toBe(0);
});

it("waits for a client that takes a little at a time", async () => {
  await ask("/large");
  await passTwoMinutes(() => take(1_048_576));
  expect(inFlight.size).toBe(1);
});

it("waits for as long as the work takes when nothing is unread", async () => {
  await ask("/slow");
  await passTwoMinutes();
  expect(inFlight.size).toBe(1);
});
