import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * The `x-inngest-signature` of a body at a time in milliseconds: `t=<seconds>&s=<HMAC-SHA256 in hex>`. `body` must come from
 * `canonicalJson`, because the SDK verifies the canonical form.
 */
export function signBody(body: string, signingKey: string, now: number): string {
  const seconds = String(Math.round(now / 1000));
  const digest = createHmac("sha256", withoutPrefix(signingKey))
    .update(body + seconds)
    .digest("hex");
  return `t=${seconds}&s=${digest}`;
}

/** JSON as in RFC 8785: sorted keys, no spaces. Leaves out undefined values, as JSON.stringify does. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** Does an Authorization header carry this signing key, plain or hashed as the SDK sends it? */
export function bearsSigningKey(authorization: string | undefined, signingKey: string): boolean {
  const token = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1];
  return token !== undefined && (sameText(token, signingKey) || sameText(token, hashSigningKey(signingKey)));
}

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}

function hashSigningKey(signingKey: string): string {
  const key = withoutPrefix(signingKey);
  const prefix = signingKey.slice(0, signingKey.length - key.length);
  return prefix + createHash("sha256").update(Buffer.from(key, "hex")).digest("hex");
}

function withoutPrefix(signingKey: string): string {
  return signingKey.replace(/^signkey-\w+-/, "");
}
