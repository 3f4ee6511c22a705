import type pg from "pg";
import { createSecretBox, type SecretBox } from "@/lib/crypto/secret-box";
import { databaseClient } from "@/scripts/database-client";
import { opened, readSealed, SEALED, type Sealed, type StoredSecret } from "@/scripts/sealed-secrets";

export type Rotation = {
  resealed: number;
  /** Already sealed with the first key. */
  current: number;
  /** Changed by the user meanwhile, so the app has already sealed them with the first key. */
  changed: number;
  /** Users with a secret that no key opens. */
  unopened: string[];
};

/**
 * Re-encrypts every stored secret with the first key of `k2:…,k1:…`. Safe to repeat and to run while the app is up: a
 * secret that has changed since it was read is left alone.
 */
export async function rotateKeys(url: string, keys: string): Promise<Rotation> {
  const box = createSecretBox(keys);
  const rotation: Rotation = { resealed: 0, current: 0, changed: 0, unopened: [] };
  const client = databaseClient(url);
  await client.connect();
  try {
    for (const place of SEALED) await rotateColumn(client, box, place, rotation);
  } finally {
    await client.end();
  }
  return rotation;
}

async function rotateColumn(client: pg.Client, box: SecretBox, place: Sealed, rotation: Rotation): Promise<void> {
  const { table, column } = place;
  for await (const batch of readSealed(client, place)) {
    for (const { id, userId, sealed, places } of batch) {
      const fresh = reseal(box, sealed, places);
      if (fresh === "current") rotation.current++;
      else if (fresh === "unopened") rotation.unopened.push(userId);
      else {
        const { rowCount } = await client.query(`UPDATE ${table} SET ${column} = $3 WHERE id = $1 AND ${column} = $2`, [
          id,
          sealed,
          fresh.text,
        ]);
        if (rowCount) rotation.resealed++;
        else rotation.changed++;
      }
    }
  }
}

/** Also replaces a seal that is bound to a former place. */
function reseal(
  box: SecretBox,
  sealed: string,
  [place, ...others]: StoredSecret["places"],
): "current" | "unopened" | { text: string } {
  if (!place) return "unopened";
  const own = opened(box, sealed, place);
  if (own !== undefined) return box.needsRotation(sealed) ? { text: box.seal(own, place) } : "current";
  const plain = others.map((other) => opened(box, sealed, other)).find((text) => text !== undefined);
  return plain === undefined ? "unopened" : { text: box.seal(plain, place) };
}

/** The report for the terminal: counts and ids, never a secret. */
export function rotationReport({ resealed, current, changed, unopened }: Rotation): string {
  const total = resealed + current + changed + unopened.length;
  const lines = [`${resealed} of ${total} secrets re-encrypted with the first key; ${current + changed} already were.`];
  if (unopened.length > 0) {
    lines.push(
      `${unopened.length} could not be decrypted with any key of ENCRYPTION_KEYS: restore the missing key, or ask these users to enter their secrets again: ${[...new Set(unopened)].join(", ")}`,
    );
  }
  return lines.join("\n");
}
