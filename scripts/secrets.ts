import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

const NAMES = ["AUTH_SECRET", "ENCRYPTION_KEYS", "INNGEST_SIGNING_KEY", "INNGEST_EVENT_KEY"] as const;

export type Secrets = Record<(typeof NAMES)[number], string>;

/** Secrets for an installation that sets none: generated once and kept in secrets.json, readable only by its owner. */
export function loadSecrets(folder: string): Secrets {
  const file = path.join(folder, "secrets.json");
  const kept = read(file);
  if (kept && NAMES.every((name) => kept[name])) return kept as Secrets;
  const made: Secrets = {
    AUTH_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    INNGEST_SIGNING_KEY: `signkey-dev-${randomBytes(32).toString("hex")}`,
    INNGEST_EVENT_KEY: randomBytes(16).toString("hex"),
    ...kept,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}

function read(file: string): Partial<Secrets> | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as Partial<Secrets>;
  } catch (cause) {
    // New keys could not open what the old ones sealed.
    throw new Error(`${file} is damaged: restore it, or remove it together with the data next to it.`, { cause });
  }
}
