import "server-only";
import { type AccountCredentials, knownDeviceNonce, lastKnownAccount } from "@/lib/auth/device-cookie";
import { verifyPassword } from "@/lib/auth/password";
import { assertWithinLimits, consumeOnFailure, isLimitReached, type LimitKey } from "@/lib/limits/rate-limits";

type Client = { address: string; devices?: string[] };

/** Checks a password and counts failures against `limits`. Throws RATE_LIMITED when one of those is used up. */
export async function attemptPassword(
  stored: string | null | undefined,
  password: string,
  limits: LimitKey[],
): Promise<boolean> {
  // We check before queueing for a hash, so that rejected attempts delay nobody.
  await assertWithinLimits(...limits);
  return verifyPassword(stored, password, (compare) => consumeOnFailure(limits, compare));
}

/**
 * A known browser has its own limits, all others share theirs. Those go by the name typed, not by the account: a shared
 * count would reveal that a username and an address belong together.
 */
export async function signInLimits(
  name: string,
  account: AccountCredentials | null,
  client: Client,
): Promise<LimitKey[]> {
  return (account && (await knownDeviceLimits(account, client))) ?? unknownDeviceLimits(name, client);
}

/** The address comes before the account: an address over its limit does not use up the account's. */
export function unknownDeviceLimits(name: string, { address }: Client): LimitKey[] {
  return [
    { name: "loginAccountAddress", subject: `${name} ${address}` },
    { name: "loginAddress", subject: address },
    { name: "loginAccount", subject: name },
  ];
}

/** The limits of a signed-in user: strangers cannot use these up, nor one session another's. */
export async function reauthenticationLimits(
  account: AccountCredentials,
  session: string | undefined,
  client: Client,
): Promise<LimitKey[]> {
  const own = await knownDeviceLimits(account, client);
  return (
    own ?? [
      { name: "proofSession", subject: session ?? account.id },
      { name: "proofAccount", subject: account.id },
    ]
  );
}

/**
 * A known browser counts per account, any other per address: strangers behind one address cannot use up what a known
 * browser may do.
 */
export async function addressLimitSubject(client: Client): Promise<string> {
  return (await lastKnownAccount(client)) ?? client.address;
}

async function knownDeviceLimits(account: AccountCredentials, client: Client): Promise<LimitKey[] | undefined> {
  const subject = await knownDeviceNonce(client, account);
  if (!subject || (await isLimitReached({ name: "loginDeviceInAll", subject }))) return undefined;
  return [
    { name: "loginDevice", subject },
    { name: "loginDeviceInAll", subject },
  ];
}
