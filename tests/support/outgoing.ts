import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import type { SafeFetch, SafeFetchOptions } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

/** A small site on 127.0.0.1 that records its requests; closed after the test. */
export async function serveSite(
  handler: Handler,
  host = "127.0.0.1",
): Promise<{ url: string; port: number; hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    handler(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, hits };
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A DNS with fixed records. Each lookup gets the next list of addresses. */
export function fakeDns(records: Record<string, string[][]>): LookupFunction {
  const asked = new Map<string, number>();
  return (hostname, _options, callback) => {
    const turn = asked.get(hostname) ?? 0;
    asked.set(hostname, turn + 1);
    const answers = records[hostname];
    const addresses = answers?.[Math.min(turn, answers.length - 1)];
    if (!addresses) return callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

/** `answered 200`, or why the request failed. */
export async function outcome(fetchSafely: SafeFetch, url: string, options?: SafeFetchOptions): Promise<string> {
  try {
    return `answered ${(await fetchSafely(url, options)).status}`;
  } catch (error) {
    if (error instanceof UnreachableError) return error.reason;
    throw error;
  }
}
