export type UnreachableReason =
  | "blocked"
  | "dns"
  | "timeout"
  | "refused"
  | "tls"
  | "too-large"
  | "redirect"
  | "protocol";

/** `sent` is false only when certainly no request left this machine. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly sent: boolean;

  constructor(
    readonly reason: UnreachableReason,
    readonly host: string,
    { sent = false, ...options }: ErrorOptions & { sent?: boolean } = {},
  ) {
    super(`${host} could not be reached (${reason})`, options);
    this.sent = sent;
  }
}

/** Thrown while connecting; arrives as the cause of undici's error. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";

  constructor(address: string) {
    super(`connections to ${address} are not allowed`);
  }
}

export function toUnreachableError(error: unknown, host: string): UnreachableError {
  if (error instanceof UnreachableError) {
    return error.host ? error : new UnreachableError(error.reason, host, { cause: error.cause, sent: true });
  }
  const chain = causes(error);
  // What the other side sent belongs in no log.
  for (const each of chain) for (const field of ["data", "cert"] as const) delete each[field];
  // "bad port": fetch refuses ports of other protocols.
  if (chain.some((each) => each instanceof BlockedAddressError || each.message === "bad port")) {
    return new UnreachableError("blocked", host, { cause: error });
  }
  for (const each of chain) {
    const known = byCode(codeOf(each));
    if (known) return new UnreachableError(known.reason, host, { cause: error, sent: known.sent });
  }
  return new UnreachableError("refused", host, { cause: error, sent: true });
}

const BEFORE_SENDING = new Map<string, UnreachableReason>([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["ENODATA", "dns"],
  ["ECONNREFUSED", "refused"],
  ["EHOSTUNREACH", "refused"],
  ["ENETUNREACH", "refused"],
  ["EADDRNOTAVAIL", "refused"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["EPROTO", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
]);

const AFTER_SENDING = new Map<string, UnreachableReason>([
  ["TimeoutError", "timeout"],
  ["AbortError", "timeout"],
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_OVERFLOW", "too-large"],
]);

function byCode(code: string): { reason: UnreachableReason; sent: boolean } | undefined {
  const [before, after] = [BEFORE_SENDING.get(code), AFTER_SENDING.get(code)];
  if (before) return { reason: before, sent: false };
  if (after) return { reason: after, sent: true };
  if (/^(ERR_TLS|ERR_SSL|CERT_)/.test(code)) return { reason: "tls", sent: false };
  if (code === "HTTPParserError" || code.startsWith("HPE_")) return { reason: "protocol", sent: true };
  return undefined;
}

/**
 * The error, its causes and the parts of an AggregateError (one per address tried). It checks the shape, not instanceof:
 * Node's errors may come from another realm.
 */
function causes(error: unknown): ErrorShape[] {
  if (typeof error !== "object" || error === null) return [];
  const shape = error as ErrorShape;
  const parts = Array.isArray(shape.errors) ? shape.errors : [];
  return [shape, ...parts.flatMap(causes), ...causes(shape.cause)];
}

type ErrorShape = {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
  /** The bytes that the parser did not understand. */
  data?: unknown;
  /** The certificate of a TLS connection. */
  cert?: unknown;
};

function codeOf(error: ErrorShape): string {
  return typeof error.code === "string" ? error.code : (error.name ?? "");
}
