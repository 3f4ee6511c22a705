import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Balancer = {
  /** Where people and the engine find the app, whichever process serves it. */
  origin: string;
  /** Sends everything that arrives from now on to this port; what is under way stays where it is. */
  switchTo(port: number): void;
  /** Passes the next calls of this path on, and drops what is answered. */
  loseAnswers(path: string, count: number): void;
  /** What reached no process, such as `POST /api/projects: ECONNREFUSED`. */
  failures: string[];
  close(): Promise<void>;
};

/** A load balancer with one target at a time, as a platform has it during a rolling deployment. */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const losing = { path: "", count: 0 };
  let target = 0;
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, target));

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
    const { method, url, headers } = incoming;
    const isLost = losing.count > 0 && url?.startsWith(losing.path) && losing.count-- > 0;
    const passed = httpRequest({ host: "127.0.0.1", port, path: url, method, headers, agent }, (answer) => {
      if (isLost) return answer.resume().once("close", () => outgoing.destroy());
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    passed.on("error", (error: NodeJS.ErrnoException) => {
      failures.push(`${method} ${url}: ${error.code}`);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switchTo: (port) => {
      target = port;
    },
    loseAnswers: (path, count) => Object.assign(losing, { path, count }),
    failures,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
