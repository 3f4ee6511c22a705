/** @jest-environment node */
import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { guardServer } from "@/lib/transport/server/guard";

let open: ServerResponse | undefined;
const server = createServer((request, response) => {
  if (request.url === "/slow") open = response;
  else response.end("done");
});

beforeAll(async () => {
  guardServer({ signals: new EventEmitter(), responses: 1 });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

it("cuts off a request beyond the responses that it counts, and takes the next one again", async () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string) => fetch(address + path, { signal: AbortSignal.timeout(1_000) });
  const slow = get("/slow");
  while (!open) await new Promise((resolve) => setTimeout(resolve, 2));
  await expect(get("/quick")).rejects.toThrow("fetch failed");
  open.end("done");
  await (await slow).text();
  expect(await (await get("/quick")).text()).toBe("done");
});
