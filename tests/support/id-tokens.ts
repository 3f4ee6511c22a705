import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export const PROJECT = "planner-tests";

export type TokenIssuer = {
  url: string;
  /** A token as Firebase makes it, with overrides; an undefined claim is left out. */
  token(claims?: JWTPayload, header?: { kid?: string }): Promise<string>;
  /** Signed with a different key than the published one it names. */
  forged(claims?: JWTPayload): Promise<string>;
  /** The published key, for tokens that misuse it as an HMAC secret. */
  publicKey(): Promise<Uint8Array>;
  /** Makes the key endpoint return this status from now on. */
  answer(status: number): void;
  close(): Promise<void>;
};

/** A local replacement for the provider's key endpoint, with real RSA keys. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const [real, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const published = { ...(await exportJWK(real.publicKey)), kid: "key-1", alg: "RS256", use: "sig" };
  let status = 200;
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ keys: [published] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function signed(key: CryptoKey, claims: JWTPayload = {}, header: { kid?: string } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: `https://securetoken.google.com/${PROJECT}`,
      aud: PROJECT,
      sub: "uid-1",
      iat: now - 10,
      exp: now + 3590,
      auth_time: now - 10,
      ...claims,
    };
    return new SignJWT(payload).setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "key-1", ...header }).sign(key);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    token: (claims, header) => signed(real.privateKey, claims, header),
    forged: (claims) => signed(other.privateKey, claims),
    publicKey: async () => new TextEncoder().encode(JSON.stringify(published)),
    answer(next) {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
