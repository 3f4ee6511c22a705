import "server-only";
import pg from "pg";
import { impatientSocket } from "@/lib/db/impatient-socket";

/** A request to cancel that is not taken within this time is given up, in milliseconds. */
const GIVE_UP_MS = 3_000;

/**
 * Asks the server to cancel what this connection is running; the statement then fails with 57014 (query_canceled). By the
 * protocol's CancelRequest, on a connection of its own: unlike pg_cancel_backend it needs no place in the pool, and a
 * transaction pooler passes it on (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS).
 * Nothing is answered: a request that is lost or comes too late does nothing.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, ssl, processID, secretKey } = client as unknown as Target;
  const connection = new pg.Connection({
    ssl,
    stream: () => impatientSocket(GIVE_UP_MS),
  } as pg.ConnectionConfig) as CancelConnection;
  connection.on("error", () => connection.end());
  if (ssl) connection.on("connect", () => connection.requestSsl());
  connection.on(ssl ? "sslconnect" : "connect", () => connection.cancel(processID, secretKey));
  connection.connect(...((host.startsWith("/") ? [`${host}/.s.PGSQL.${port}`] : [port, host]) as [number, string]));
}

/** What a connected client knows of its server; its types name only a part. */
type Target = {
  host: string;
  port: number;
  ssl: pg.ConnectionConfig["ssl"];
  processID: number;
  secretKey: number;
};

type CancelConnection = pg.Connection & {
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
  end(): void;
};
