import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import {
  DEVICE_COOKIE,
  deviceCookieOptions,
  deviceNonces,
  hasSignedInBefore,
  knownDeviceNonce,
  lastKnownAccount,
  rememberDevice,
} from "@/lib/auth/device-cookie";
import { env } from "@/lib/env";

const account = (id: string, password: string | null = `hash of ${id}`) => ({ id, password });
const [ann, ben] = [account("ann"), account("ben")];

/** The cookie of a browser after these accounts have signed in, in this order. */
async function browserOf(...ids: string[]): Promise<string> {
  let cookie: string | undefined;
  for (const id of ids) cookie = await rememberDevice(cookie ? { devices: [cookie] } : {}, account(id));
  return cookie ?? "";
}

const isKnown = async (cookie: string, { id, password } = ann) =>
  (await knownDeviceNonce({ devices: [cookie] }, { id, password })) !== undefined;

it("recognises a browser by account and password, and gives each sign-in its own nonce", async () => {
  const cookie = await browserOf("ann");
  expect([await isKnown(cookie), await isKnown(cookie, ben)]).toEqual([true, false]);
  expect(await isKnown(cookie, account("ann", "hash of another password"))).toBe(false);
  expect(await isKnown(cookie, account("ann", null))).toBe(false);
  const again = await rememberDevice({ devices: [cookie] }, ann);
  const nonces = [
    await knownDeviceNonce({ devices: [cookie] }, ann),
    await knownDeviceNonce({ devices: [again] }, ann),
  ];
  expect(new Set(nonces).size).toBe(2);
});

it("knows that an account has signed in before, even after its password changed", async () => {
  const devices = [await browserOf("ann")];
  expect(await hasSignedInBefore({ devices }, { id: "ann" })).toBe(true);
  expect(await hasSignedInBefore({ devices }, { id: "ben" })).toBe(false);
  expect(await hasSignedInBefore({}, { id: "ann" })).toBe(false);
});

it("gives the nonces of all its accounts, and none to a browser without a valid cookie", async () => {
  const cookie = await browserOf("ann", "ben");
  const known = await Promise.all([ben, ann].map((one) => knownDeviceNonce({ devices: [cookie] }, one)));
  expect(await deviceNonces({ devices: [cookie, cookie] })).toEqual(known);
  expect(await deviceNonces({ devices: [`${cookie}x`] })).toEqual([]);
  expect(await deviceNonces({})).toEqual([]);
});

it("remembers an account without a password", async () => {
  const cookie = await rememberDevice({}, account("ann", null));
  expect([await isKnown(cookie, account("ann", null)), await isKnown(cookie)]).toEqual([true, false]);
});

it("remembers five accounts, the latest first", async () => {
  const cookie = await browserOf("one", "two", "three", "four", "five", "six", "two");
  const known: string[] = [];
  for (const id of ["one", "two", "three", "four", "five", "six"]) {
    if (await isKnown(cookie, account(id))) known.push(id);
  }
  expect(known).toEqual(["two", "three", "four", "five", "six"]);
  expect(cookie.length).toBeLessThanOrEqual(1_000);
  const latest = await lastKnownAccount({ devices: [cookie] });
  expect(latest).toBe(await lastKnownAccount({ devices: [await browserOf("two")] }));
  expect(latest).not.toBe(await lastKnownAccount({ devices: [await browserOf("six")] }));
  expect(await lastKnownAccount({})).toBeUndefined();
});

it("reveals neither the account nor its password", async () => {
  const [, payload = ""] = (await browserOf("ann")).split(".");
  expect(Buffer.from(payload, "base64url").toString()).not.toContain("ann");
});

it("finds its cookie after one planted cookie, but reads only two cookies", async () => {
  const own = await browserOf("ann");
  expect(await knownDeviceNonce({ devices: ["planted", own] }, ann)).toBeDefined();
  expect(await knownDeviceNonce({ devices: ["planted", "planted", own] }, ann)).toBeUndefined();
});

it("rejects a cookie that is forged, without expiry, malformed or older than a year", async () => {
  const cookie = await browserOf("ann");
  const [header, payload = "", signature] = cookie.split(".");
  const { known } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  const signedWith = (key: Uint8Array, claims: object = { known }) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1y").sign(key);
  const keyOf = (secret: string) => createHash("sha256").update(`device-cookie\0${secret}`).digest();
  const own = keyOf(env.AUTH_SECRET ?? "");
  expect(await isKnown(await signedWith(own))).toBe(true);
  const endless = await new SignJWT({ known }).setProtectedHeader({ alg: "HS256" }).sign(own);
  const six = await signedWith(own, { known: Array(6).fill(known[0]) });
  const long = await signedWith(own, { known, more: "x".repeat(2_000) });
  const foreign = await signedWith(new TextEncoder().encode("somebody else's secret, 32 bytes long"));
  // The key of a server that has no secret.
  const guessed = await signedWith(keyOf("local"));
  const changed = `${header}.${payload}.x${signature}`;
  for (const forged of ["", "x.y.z", changed, `${none}.${payload}.`, foreign, guessed, endless, six, long]) {
    expect([forged, await isKnown(forged)]).toEqual([forged, false]);
  }
  const day = 86_400_000;
  const later = async (days: number) => {
    jest.useFakeTimers({ now: Date.now() + days * day, doNotFake: ["nextTick", "setImmediate"] });
    return isKnown(cookie).finally(() => jest.useRealTimers());
  };
  expect([await later(364), await later(366)]).toEqual([true, false]);
});

it("keeps its cookie for a year, HTTP-only and same-site", () => {
  expect([DEVICE_COOKIE, deviceCookieOptions]).toEqual([
    "device",
    { httpOnly: true, secure: false, sameSite: "lax", path: "/", maxAge: 365 * 86_400 },
  ]);
});
