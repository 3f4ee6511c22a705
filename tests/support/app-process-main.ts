import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { callAction } from "@/tests/support/action-request";
import { listActions } from "@/tests/support/actions";
import { answerInProcess, ORIGIN, routes } from "@/tests/support/app";
import { ACTIONS } from "@/tests/support/app-process";

/** Serves the app's route handlers and server actions over HTTP (see app-process.ts). Exits with its input. */
async function main(): Promise<void> {
  // Load all routes up front: the first call would otherwise delay everyone.
  const actions = new Map(await listActions());
  await Promise.all(routes.map((route) => route.load()));

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(ACTIONS)) return answerInProcess(request);
    const action = actions.get(pathname.slice(ACTIONS.length));
    if (!action) return new Response(null, { status: 404 });
    const cookie = request.headers.get("cookie") ?? undefined;
    const { input } = (await request.json()) as { input?: unknown };
    return Response.json((await callAction(() => action(input), { cookie, address: "10.82.0.1" })).answer);
  }

  const server = createServer(async (incoming, outgoing) => {
    try {
      const response = await answer(await requestOf(incoming));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      await pipeline(response.body ?? [], outgoing);
    } catch (error) {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end(String(error));
    }
  });
  // Longer than any pause between requests: a connection must not close just as it is reused.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
  process.stdin.resume().on("end", () => process.exit());
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/" } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = method === "GET" ? {} : { body: new Uint8Array(await buffer(incoming)) };
  return new Request(new URL(url, ORIGIN), { method, headers, ...body });
}

main();
