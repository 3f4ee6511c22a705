import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** As if the server were gone: resets open connections and refuses new ones. */
  cut(): Promise<void>;
  /** As if the network were broken: connections stay open, but nothing gets through and data in transit is lost. */
  freeze(): void;
  /** Lets new connections through; those cut or frozen stay so. */
  restore(): Promise<void>;
  /** Called with each chunk a client sends. */
  watch(listener: (chunk: Buffer, connection: number) => void): void;
  close(): Promise<void>;
};

/** A TCP proxy on 127.0.0.1 that can be cut, frozen and restored. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const listeners = new Set<(chunk: Buffer, connection: number) => void>();
  let frozen = false;
  let accepted = 0;
  const server = createServer((client) => {
    const number = ++accepted;
    const upstream = connect(target);
    const pair = [client, upstream];
    for (const socket of pair) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        for (const other of pair) other.destroy();
      });
    }
    let lost = frozen;
    client.on("data", (chunk) => {
      for (const listener of listeners) listener(chunk, number);
      lost ||= frozen;
      if (!lost) upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      lost ||= frozen;
      if (!lost) client.write(chunk);
    });
  });
  await listen(0);
  const { port } = server.address() as AddressInfo;

  function listen(wanted: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  }

  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.resetAndDestroy();
    await closed;
  }

  return {
    port,
    cut,
    freeze: () => {
      frozen = true;
    },
    restore: async () => {
      frozen = false;
      if (!server.listening) await listen(port);
    },
    watch: (listener) => listeners.add(listener),
    close: cut,
  };
}
