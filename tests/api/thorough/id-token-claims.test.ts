import type { JWTPayload } from "jose";
import { PROJECT, startTokenIssuer, type TokenIssuer } from "@/tests/support/id-tokens";

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  // Before the first module is loaded that reads the environment.
  Object.assign(process.env, { FIREBASE_PROJECT_ID: PROJECT, FIREBASE_JWKS_URL: issuer.url });
});
afterAll(() => issuer.close());

/** Real timers for fetching the keys; only the clock is fake. */
const TIMERS = [
  ...(["nextTick", "queueMicrotask", "setImmediate", "clearImmediate"] as const),
  ...(["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "hrtime"] as const),
];

describe("the claims of an ID token", () => {
  const at = Math.floor(Date.now() / 1000);

  /** Verifies a token with these claims at a fixed time. */
  async function identityAt(claims: JWTPayload) {
    const { verifyIdToken } = await import("@/lib/auth/id-token");
    const token = await issuer.token(claims);
    jest.useFakeTimers({ now: at * 1000, doNotFake: TIMERS });
    return verifyIdToken(`bearer  ${token}`)
      .catch((error: unknown) => error)
      .finally(() => jest.useRealTimers());
  }

  it("name the user, and the address only if it is valid", async () => {
    const email = `${"m".repeat(242)}@Example.com`;
    expect(await identityAt({ sub: "u", email, email_verified: true })).toEqual({
      uid: "u",
      email: email.toLowerCase(),
      emailVerified: true,
    });
    expect(await identityAt({ sub: "u", email, email_verified: false })).toMatchObject({ emailVerified: false });
    for (const none of [undefined, "nowhere", `m${email}`, 7]) {
      const identity = await identityAt({ sub: "u", email: none, email_verified: true });
      expect(identity).toEqual({ uid: "u", email: null, emailVerified: false });
    }
  });

  it("are valid for an hour, with five seconds of clock tolerance", async () => {
    const times = { iat: at - 10, exp: at + 10, auth_time: at - 10 };
    const good = { exp: at - 4, iat: at + 5, auth_time: at + 5 };
    const bad = { exp: at - 5, iat: at + 6, auth_time: at + 6 };
    for (const [claim, value] of Object.entries(good)) {
      expect([claim, await identityAt({ ...times, [claim]: value })]).toEqual([
        claim,
        expect.objectContaining({ uid: "uid-1" }),
      ]);
    }
    for (const [claim, value] of Object.entries(bad)) {
      expect([claim, await identityAt({ ...times, [claim]: value })]).toEqual([
        claim,
        expect.objectContaining({ status: 401 }),
      ]);
    }
    expect(await identityAt({ ...times, iat: at - 3_605 })).toMatchObject({ uid: "uid-1" });
    expect(await identityAt({ ...times, iat: at - 3_606 })).toMatchObject({ type: "UNAUTHENTICATED" });
  });

  it("have an id of 1 to 128 characters, which the refusal of an expired token names too", async () => {
    const [long, longer] = ["u".repeat(128), "u".repeat(129)];
    expect(await identityAt({ sub: long })).toMatchObject({ uid: long });
    expect(await identityAt({ sub: longer })).toMatchObject({ type: "UNAUTHENTICATED" });
    const expired = { iat: at - 3_000, exp: at - 60 };
    expect(await identityAt({ ...expired, sub: long })).toMatchObject({ type: "UNAUTHENTICATED", uid: long });
    expect(await identityAt({ ...expired, sub: longer })).toMatchObject({ type: "UNAUTHENTICATED", uid: undefined });
  });
});
