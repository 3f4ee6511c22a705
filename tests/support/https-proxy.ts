import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "@/tests/support/certificates";

/** Ends the encryption before a site on this machine, as a host's server does; the Host header stays. */
export async function startHttpsProxy({ cert, key }: Certificate) {
  let target = 0;
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (asked, answer) => {
    const { method, url, headers } = asked;
    const sent = request({ host: "127.0.0.1", port: target, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passTo(port: number) {
      target = port;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
