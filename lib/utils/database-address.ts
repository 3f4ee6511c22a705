import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

// How an address of PostgreSQL asks for TLS: read here for the app, the scripts and prisma.config.ts, and by nobody else. The
// drivers disagree about what the names mean, and node-postgres means to change its own.

export type DatabaseConfig = {
  connectionString: string;
  ssl?: false | ConnectionOptions;
  sslnegotiation?: "postgres" | "direct";
};

const TLS_PARAMETERS = [
  ...["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"],
  ...["uselibpqcompat", "sslaccept"],
] as const;
type Parameters = Partial<Record<string, string>>;

/** `verify-ca` checks who signed the certificate, `verify-full` the server's name too. */
type Mode = "disable" | "no-verify" | "verify-ca" | "verify-full";

/**
 * What node-postgres needs to connect to `address`; `ca` is the text of DATABASE_CA. Throws if the authority's certificate
 * cannot be read.
 */
export function databaseConfig(address: string, ca: string | undefined): DatabaseConfig {
  const { connectionString, parameters } = split(address);
  const mode = modeOf(parameters, ca);
  return {
    connectionString,
    ...(mode ? { ssl: mode !== "disable" && tlsOptions(mode, parameters, ca) } : {}),
    ...(parameters.sslnegotiation === "direct" ? { sslnegotiation: "direct" } : {}),
  };
}

/**
 * The address with the parameters of Prisma's schema engine, which verifies nothing by default. When it verifies, it always
 * checks the name too. `keep` writes the authority's certificates to a file and returns its path.
 */
export function schemaEngineAddress(address: string, ca: string | undefined, keep: (pem: string) => string): string {
  const { connectionString, parameters } = split(address);
  const mode = modeOf(parameters, ca);
  if (!mode) return address;
  const own = verifies(mode) && ownAuthority(parameters, ca);
  const engine = new URLSearchParams({
    sslmode: mode === "disable" ? "disable" : "require",
    sslaccept: verifies(mode) ? "strict" : "accept_invalid_certs",
    ...(own ? { sslcert: keep(own) } : {}),
  });
  return `${connectionString}${connectionString.includes("?") ? "&" : "?"}${engine}`;
}

/** Does this address ask for a connection that is encrypted, but may end at anybody? */
export function isUnverified(address: string, ca: string | undefined): boolean {
  return modeOf(split(address).parameters, ca) === "no-verify";
}

/** The certificates in a PEM text, whose line breaks may be stored as `\n`. Empty if there is none, or one is damaged. */
export function certificatesIn(pem: string): string[] {
  const found = pem.replaceAll("\\n", "\n").match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  return found?.every(isCertificate) ? found : [];
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}

function split(address: string): { connectionString: string; parameters: Parameters } {
  const [base = "", ...query] = address.split("?");
  const others = new URLSearchParams(query.join("?"));
  const parameters: Parameters = {};
  for (const name of TLS_PARAMETERS) {
    parameters[name] = others.get(name) || undefined;
    others.delete(name);
  }
  return { connectionString: others.size > 0 ? `${base}?${others}` : base, parameters };
}

/** Undefined if the address leaves it to PGSSLMODE. */
function modeOf(parameters: Parameters, ca: string | undefined): Mode | undefined {
  const { sslmode = modeOfSsl(parameters.ssl), sslrootcert, sslcert, sslkey, sslnegotiation } = parameters;
  const hasOwn = Boolean(sslrootcert ? sslrootcert !== "system" : ca);
  if (sslmode === "disable" || sslmode === "no-verify") return sslmode;
  if (sslmode === "verify-ca" && hasOwn) return "verify-ca";
  if (parameters.uselibpqcompat === "true") {
    if (sslmode === "prefer" || (sslmode === "require" && !hasOwn)) return "no-verify";
    if (sslmode === "require") return "verify-ca";
  }
  // As node-postgres has it, every other mode verifies everything. So does `verify-ca` with the public authorities, who
  // would sign for anybody's server.
  const isAsked = sslmode ?? sslrootcert ?? ca ?? sslcert ?? sslkey;
  return isAsked || sslnegotiation === "direct" ? "verify-full" : undefined;
}

/** node-postgres' own parameter. */
function modeOfSsl(ssl: string | undefined): string | undefined {
  if (ssl === "0" || ssl === "false") return "disable";
  if (ssl === "1" || ssl === "true") return "verify-full";
  return ssl;
}

function verifies(mode: Mode): boolean {
  return mode === "verify-ca" || mode === "verify-full";
}

function tlsOptions(mode: Mode, parameters: Parameters, ca: string | undefined): ConnectionOptions {
  const { sslcert, sslkey } = parameters;
  const own = verifies(mode) ? ownAuthority(parameters, ca) : undefined;
  return {
    ...(mode === "no-verify" ? { rejectUnauthorized: false } : {}),
    ...(mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
    ...(own ? { ca: own } : {}),
    ...(sslcert ? { cert: read("sslcert", sslcert) } : {}),
    ...(sslkey ? { key: read("sslkey", sslkey) } : {}),
  };
}

/** The authorities to believe instead of the public ones; what the address says wins. */
function ownAuthority({ sslrootcert }: Parameters, ca: string | undefined): string | undefined {
  if (sslrootcert === "system") return undefined;
  const source = sslrootcert ? `sslrootcert (${sslrootcert})` : "DATABASE_CA";
  const pem = sslrootcert ? read("sslrootcert", sslrootcert) : ca;
  if (!pem) return undefined;
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) throw new Error(`${source} has no certificate in PEM form that can be read.`);
  return `${certificates.join("\n")}\n`;
}

function read(parameter: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${parameter} in the address of the database names ${file}, which cannot be read (${code}).`, {
      cause,
    });
  }
}
