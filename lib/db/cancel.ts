import "server-only";
import pg from "pg";
import { timeoutSocket } from "@/lib/db/timeout-socket";

/** Give up when the server does not accept the cancel request within this time. */
const GIVE_UP_MS = 3_000;

/**
 * Asks the server to cancel this connection's statement, which then fails with 57014 (query_canceled). Sends
 * CancelRequest over its own connection: unlike pg_cancel_backend it needs no place in the pool, and transaction
 * poolers pass it on (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS). A
 * request that is lost or late does nothing.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, ssl, processID, secretKey } = client as unknown as ConnectedClient;
  const connection = new pg.Connection({
    ssl,
    stream: () => timeoutSocket(GIVE_UP_MS),
  } as pg.ConnectionConfig) as CancelConnection;
  connection.on("error", () => connection.end());
  if (ssl) connection.on("connect", () => connection.requestSsl());
  connection.on(ssl ? "sslconnect" : "connect", () => connection.cancel(processID, secretKey));
  connection.connect(...((host.startsWith("/") ? [`${host}/.s.PGSQL.${port}`] : [port, host]) as [number, string]));
}

/** The library's types declare only a part of these. */
type ConnectedClient = {
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
