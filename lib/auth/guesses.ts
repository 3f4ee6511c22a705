import "server-only";
import { type KnownAccount, knownAccount, knownTo } from "@/lib/auth/device-cookie";
import { verifyPassword } from "@/lib/auth/password";
import { countFailure, type Hit, isUsedUp, refuseUsedUp } from "@/lib/limits/limits";

/** Where a guess comes from, and the device cookies that it brought. */
type Place = { address: string; devices?: string[] };

/** Is it the password? Wrong ones are counted by `hits`; throws RATE_LIMITED when one of those is used up. */
export async function guessPassword(
  stored: string | null | undefined,
  password: string,
  hits: Hit[],
): Promise<boolean> {
  // Refused before it waits for its turn, so that a flood of refused tries holds nobody up.
  await refuseUsedUp(...hits);
  return verifyPassword(stored, password, (compare) => countFailure(hits, compare));
}

/**
 * What a wrong password at sign-in is counted by: the browser alone where the account knows it, else what all strangers
 * share. Those are counted by the name typed: by the account, its username and its address would tell that they belong
 * together.
 */
export async function signInHits(name: string, account: KnownAccount | null, place: Place): Promise<Hit[]> {
  return (account && (await deviceHits(account, place))) ?? strangerHits(name, place);
}

/** The address before the account: one that is over its limit does not use up other people's. */
export function strangerHits(name: string, { address }: Place): Hit[] {
  return [
    { name: "loginAccountAddress", subject: `${name} ${address}` },
    { name: "loginAddress", subject: address },
    { name: "loginAccount", subject: name },
  ];
}

/** The same for a signed-in person who proves who they are: no stranger can use this up, and no session another's. */
export async function proofHits(account: KnownAccount, session: string | undefined, place: Place): Promise<Hit[]> {
  const own = await deviceHits(account, place);
  return (
    own ?? [
      { name: "proofSession", subject: session ?? account.id },
      { name: "proofAccount", subject: account.id },
    ]
  );
}

/**
 * Whom a limit by address counts: the account that this browser is known to, else the address. Strangers behind one address
 * cannot use up what a known browser may do.
 */
export async function addressOrAccount(place: Place): Promise<string> {
  return (await knownAccount(place)) ?? place.address;
}

async function deviceHits(account: KnownAccount, place: Place): Promise<Hit[] | undefined> {
  const subject = await knownTo(place, account);
  if (!subject || (await isUsedUp({ name: "loginDeviceInAll", subject }))) return undefined;
  return [
    { name: "loginDevice", subject },
    { name: "loginDeviceInAll", subject },
  ];
}
