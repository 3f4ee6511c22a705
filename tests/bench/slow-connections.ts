import { connect, type Socket } from "node:net";

const EVERY_MS = 1_000;

/** Opens connections that each send a request's head at one byte per second and never finish it. */
export async function openSlowConnections(url: string, count: number): Promise<{ opened: number; close(): void }> {
  const { hostname, port } = new URL(url);
  const head = `GET /api/health HTTP/1.1\r\nhost: ${hostname}\r\nx-slow: `;
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(hostname, Number(port), head)));
  const open = sockets.filter((socket) => socket !== undefined);
  const drip = setInterval(() => {
    for (const socket of open) if (socket.writable) socket.write("a");
  }, EVERY_MS);
  return {
    opened: open.length,
    close() {
      clearInterval(drip);
      for (const socket of open) socket.destroy();
    },
  };
}

function opened(host: string, port: number, head: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.write(head);
      resolve(socket);
    });
    // The server may close it: then there is one slow connection fewer.
    socket.on("error", () => resolve(undefined));
  });
}
