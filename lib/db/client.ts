import pg from "pg";

/** SQLSTATE: the client could not establish the connection. Prisma hands an error with it on as it is. */
const NOT_ESTABLISHED = "08001";

const UNKNOWN_AUTHORITY =
  "its certificate is signed by an authority that is not known here: set DATABASE_CA or sslrootcert to that authority's certificate.";
const REASONS: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: "its certificate, or that of its authority, has expired: renew it.",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: check the clocks of both machines.",
  "The server does not support SSL connections":
    "it speaks no TLS: turn TLS on there (ssl = on), or set sslmode=disable in the address.",
};

/** What TLS lacks, in one sentence without anything secret. */
class TlsFailure extends Error {
  readonly code = NOT_ESTABLISHED;
}

export function isTlsFailure(error: unknown): error is Error {
  return error instanceof TlsFailure;
}

/** A client of node-postgres that says in one sentence what TLS lacks when it cannot connect. */
export class DatabaseClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(done: (error: Error) => void): void;
  override connect(done?: (error: Error) => void): unknown {
    if (done) return super.connect((error: Error) => done(error && this.#explained(error)));
    return super.connect().catch((error) => {
      throw this.#explained(error);
    });
  }

  #explained(error: ConnectError): Error {
    const reason = reasonOf(error);
    if (!reason) return error;
    return new TlsFailure(`PostgreSQL at ${this.host}:${this.port} cannot be reached over TLS: ${reason}`);
  }
}

type ConnectError = Error & { code?: string; cert?: { subjectaltname?: string } };

function reasonOf({ code, message, cert }: ConnectError): string | undefined {
  if (code !== "ERR_TLS_CERT_ALTNAME_INVALID") return REASONS[code ?? message];
  const names = cert?.subjectaltname ?? "another name";
  return `its certificate is for ${names}: use a name of the certificate in the address, or renew it with this one.`;
}
