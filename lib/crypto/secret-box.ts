import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

/** The owner (`user:42`) and field (`openaiApiKey`) of a secret. Sealed text opens nowhere else. */
export type SecretPlace = { owner: string; field: string };

export type SecretBox = {
  seal(plaintext: string, place: SecretPlace): string;
  open(sealed: string, place: SecretPlace): string;
  needsRotation(sealed: string): boolean;
};

/** Sealed text that cannot be opened: its key is missing, or it was changed or moved. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";

  constructor(
    readonly reason: "unknown-key" | "tampered",
    options?: ErrorOptions,
  ) {
    super(
      reason === "unknown-key"
        ? "This secret was sealed with a key that ENCRYPTION_KEYS no longer lists."
        : "This secret was changed, or moved from another place.",
      options,
    );
  }
}

/** Seals with the active key of ENCRYPTION_KEYS. Returns `v1.<key id>.<nonce>.<ciphertext and tag>`. */
export function seal(plaintext: string, place: SecretPlace): string {
  return box().seal(plaintext, place);
}

/** Opens sealed text. Throws SecretBoxError. */
export function open(sealed: string, place: SecretPlace): string {
  return box().open(sealed, place);
}

/** Is the text sealed with any key but the active one? */
export function needsRotation(sealed: string): boolean {
  return box().needsRotation(sealed);
}

/**
 * Takes a key ring `k1:<base64 of 32 bytes>,k0:…`: the first key seals, all of them open. Throws when it is malformed.
 */
export function createSecretBox(keys: string): SecretBox {
  const { ring, active, activeId } = parseRing(keys);
  return {
    seal(plaintext, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", active, nonce);
      cipher.setAAD(associatedData(activeId, place));
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, activeId, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    open(sealed, place) {
      const { keyId, nonce, body } = parseSealed(sealed);
      const key = ring.get(keyId);
      if (!key) throw new SecretBoxError("unknown-key");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(associatedData(keyId, place));
        decipher.setAuthTag(body.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new SecretBoxError("tampered", { cause });
      }
    },
    needsRotation(sealed) {
      return parseSealed(sealed).keyId !== activeId;
    },
  };
}

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

let fromEnv: SecretBox | undefined;

function box(): SecretBox {
  if (!env.ENCRYPTION_KEYS) throw new Error("ENCRYPTION_KEYS is not set. .env.example explains it.");
  fromEnv ??= createSecretBox(env.ENCRYPTION_KEYS);
  return fromEnv;
}

function parseRing(keys: string) {
  const ring = new Map<string, Buffer>();
  for (const entry of keys.split(",").map((part) => part.trim())) {
    const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? [];
    const key = Buffer.from(encoded ?? "", "base64");
    if (!id || key.length !== KEY_BYTES) {
      throw new Error("ENCRYPTION_KEYS must be a list like k1:<base64 of 32 bytes>,k0:<base64 of 32 bytes>.");
    }
    if (ring.has(id)) throw new Error(`ENCRYPTION_KEYS names the key ${id} twice.`);
    ring.set(id, key);
  }
  const [[activeId, active]] = [...ring] as [[string, Buffer]];
  return { ring, active, activeId };
}

function parseSealed(sealed: string) {
  const [version, keyId, nonceText, bodyText, ...rest] = sealed.split(".");
  const nonce = decodeExactly(nonceText);
  const body = decodeExactly(bodyText);
  if (version !== VERSION || !keyId || rest.length > 0) throw new SecretBoxError("tampered");
  if (nonce?.length !== NONCE_BYTES || !body || body.length < TAG_BYTES) throw new SecretBoxError("tampered");
  return { keyId, nonce, body };
}

/**
 * The last character of base64 has spare bits: accept only the canonical spelling, so that no changed character passes.
 */
function decodeExactly(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

/** Uses JSON, so that no two pairs of owner and field look alike. */
function associatedData(keyId: string, { owner, field }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, keyId, owner, field]));
}
