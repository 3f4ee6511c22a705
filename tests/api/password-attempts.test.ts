import { hash } from "@node-rs/argon2";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { hashPassword } from "@/lib/auth/password";
import {
  addressLimitSubject,
  attemptPassword,
  reauthenticationLimits,
  signInLimits,
  unknownDeviceLimits,
} from "@/lib/auth/password-attempts";
import { consumeLimits, isLimitReached, type LimitKey } from "@/lib/limits/rate-limits";
import { query } from "@/tests/support/db";

jest.mock("@node-rs/argon2", () => {
  const real = jest.requireActual("@node-rs/argon2");
  return { ...real, hash: jest.fn(real.hash) };
});

const account = { id: "4c7b0f0e-7d55-4d7c-9d0c-0a8f3d2b9a11", password: "a hash" };
const stranger = { address: "192.0.2.7" };
const known = async () => ({ ...stranger, devices: [await rememberDevice({}, account)] });
const namesOf = (limits: LimitKey[]) => limits.map(({ name }) => name);

const OWN = ["loginDevice", "loginDeviceInAll"];

describe("the limits a wrong password counts against", () => {
  it("are by username and address for an unknown browser, whether or not the account exists", async () => {
    const expected = [
      { name: "loginAccountAddress", subject: "ann 192.0.2.7" },
      { name: "loginAddress", subject: "192.0.2.7" },
      { name: "loginAccount", subject: "ann" },
    ];
    expect(unknownDeviceLimits("ann", stranger)).toEqual(expected);
    expect(await signInLimits("ann", null, await known())).toEqual(expected);
    expect(await signInLimits("ann", account, stranger)).toEqual(expected);
  });

  it("are a known browser's own, until they are used up", async () => {
    const client = await known();
    const limits = await signInLimits("ann", account, client);
    expect(namesOf(limits)).toEqual(OWN);
    expect(new Set(limits.map(({ subject }) => subject)).size).toBe(1);
    expect(namesOf(await reauthenticationLimits(account, "token", client))).toEqual(OWN);
    await consumeLimits(...limits.slice(1));
    await query("UPDATE rate_limits SET hits = 100");
    expect(namesOf(await signInLimits("ann", account, client))).not.toContain("loginDevice");
    expect(namesOf(await reauthenticationLimits(account, "token", client))).toEqual(["proofSession", "proofAccount"]);
  });

  it("are by session and account for a signed-in user", async () => {
    expect(await reauthenticationLimits(account, "token", stranger)).toEqual([
      { name: "proofSession", subject: "token" },
      { name: "proofAccount", subject: account.id },
    ]);
    expect((await reauthenticationLimits(account, undefined, stranger))[0]?.subject).toBe(account.id);
  });

  it("are by the known account of the browser for links and Google, or else by address", async () => {
    expect(await addressLimitSubject(stranger)).toBe("192.0.2.7");
    expect(await addressLimitSubject(await known())).toMatch(/^[\w-]{22}$/);
  });
});

describe("an attempt", () => {
  it("counts only if it fails", async () => {
    const stored = await hashPassword("right");
    const limits: LimitKey[] = [{ name: "resetAccount", subject: "ann" }];
    expect(await attemptPassword(stored, "right", limits)).toBe(true);
    for (let n = 0; n < 3; n++) expect(await attemptPassword(stored, "wrong", limits)).toBe(false);
    expect(await isLimitReached({ name: "resetAccount", subject: "ann" })).toBe(true);
    await expect(attemptPassword(stored, "right", limits)).rejects.toMatchObject({ type: "RATE_LIMITED" });
  });

  it("is refused at once beyond the limit, without waiting to hash", async () => {
    const limits: LimitKey[] = [{ name: "resetAccount", subject: "ben" }];
    for (let n = 0; n < 3; n++) await consumeLimits(...limits);
    const held: (() => void)[] = [];
    jest.mocked(hash).mockImplementation(() => new Promise((resolve) => held.push(() => resolve("a hash"))));
    const hashing = Promise.all(Array.from({ length: 16 }, (_, n) => hashPassword(`a long phrase ${n}`)));
    await expect(attemptPassword("a hash", "wrong", limits)).rejects.toMatchObject({ type: "RATE_LIMITED" });
    jest.mocked(hash).mockImplementation(jest.requireActual("@node-rs/argon2").hash);
    for (const end of held) end();
    await hashing;
  });
});
