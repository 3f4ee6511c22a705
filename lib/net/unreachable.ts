export type UnreachableReason =
  | "blocked"
  | "dns"
  | "timeout"
  | "refused"
  | "tls"
  | "too-large"
  | "redirect"
  | "protocol";

/** An address that gave no usable answer. `sent` is false only when it is certain that no request left this machine. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly sent: boolean;

  constructor(
    readonly reason: UnreachableReason,
    readonly host: string,
    options: ErrorOptions & { sent?: boolean } = {},
  ) {
    super(`${host} could not be reached (${reason})`, options);
    this.sent = options.sent ?? false;
  }
}

/** Raised while connecting; carried to the caller as the cause of undici's own error. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";

  constructor(address: string) {
    super(`connections to ${address} are not allowed`);
  }
}

/** Sorts whatever a request failed with into an UnreachableError. */
export function unreachable(error: unknown, host: string): UnreachableError {
  if (error instanceof UnreachableError) {
    return error.host ? error : new UnreachableError(error.reason, host, { cause: error.cause, sent: true });
  }
  const chain = causes(error);
  // "bad port" is the fetch standard's own refusal of ports that belong to other protocols.
  if (chain.some((each) => each instanceof BlockedAddressError || each.message === "bad port")) {
    return new UnreachableError("blocked", host, { cause: error });
  }
  for (const each of chain) {
    const known = byCode(codeOf(each));
    if (known) return new UnreachableError(known.reason, host, { cause: error, sent: known.sent });
  }
  return new UnreachableError("refused", host, { cause: error, sent: true });
}

const BEFORE_SENDING: Record<string, UnreachableReason> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ENODATA: "dns",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  EADDRNOTAVAIL: "refused",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  EPROTO: "tls",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls",
  SELF_SIGNED_CERT_IN_CHAIN: "tls",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls",
  UNABLE_TO_GET_ISSUER_CERT: "tls",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls",
};

const AFTER_SENDING: Record<string, UnreachableReason> = {
  TimeoutError: "timeout",
  AbortError: "timeout",
  ETIMEDOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "too-large",
};

function byCode(code: string): { reason: UnreachableReason; sent: boolean } | undefined {
  if (Object.hasOwn(BEFORE_SENDING, code)) return { reason: BEFORE_SENDING[code] ?? "refused", sent: false };
  if (/^(ERR_TLS|ERR_SSL|CERT_)/.test(code)) return { reason: "tls", sent: false };
  if (Object.hasOwn(AFTER_SENDING, code)) return { reason: AFTER_SENDING[code] ?? "refused", sent: true };
  if (code === "HTTPParserError" || code.startsWith("HPE_")) return { reason: "protocol", sent: true };
  return undefined;
}

/**
 * The error, its causes, and the parts of an AggregateError (one for each address that was tried).
 * By shape, not by instanceof: an error of Node's own may belong to another realm.
 */
function causes(error: unknown): ErrorShape[] {
  if (typeof error !== "object" || error === null) return [];
  const shape = error as ErrorShape;
  const parts = Array.isArray(shape.errors) ? shape.errors : [];
  return [shape, ...parts.flatMap(causes), ...causes(shape.cause)];
}

type ErrorShape = { name?: string; message?: string; code?: unknown; cause?: unknown; errors?: unknown };

function codeOf(error: ErrorShape): string {
  return typeof error.code === "string" ? error.code : (error.name ?? "");
}
