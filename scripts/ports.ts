import { createServer } from "node:net";

/** True if this port of `host` is free. It counts as free if the machine does not have that address. */
export function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve(true);
      else if (error.code === "EACCES")
        reject(new Error(`Port ${port} is reserved by the system: choose one above 1023.`));
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The first free port of those wanted, or else one that the system picks. */
export async function freePort(...wanted: (number | undefined)[]): Promise<number> {
  for (const port of wanted) {
    if (port !== undefined && (await isFree(port))) return port;
  }
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      const picked = address && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(picked));
    });
  });
}
