import pg from "pg";
import { createSecretBox, type SecretBox, SecretBoxError } from "@/lib/crypto/secret-box";

/** The columns that hold sealed secrets, each with the field name bound into the seal. */
const SEALED = [
  { column: "openai_api_key", field: "openaiApiKey" },
  { column: "wordpress_password", field: "wordpressPassword" },
] as const;

const BATCH = 500;

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
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const place of SEALED) await rotateColumn(client, box, place, rotation);
  } finally {
    await client.end();
  }
  return rotation;
}

async function rotateColumn(
  client: pg.Client,
  box: SecretBox,
  { column, field }: (typeof SEALED)[number],
  rotation: Rotation,
): Promise<void> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `SELECT id, ${column} AS sealed FROM users WHERE ${column} IS NOT NULL AND id > $1 ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    for (const { id, sealed } of rows) {
      const fresh = reseal(box, sealed, { owner: id, field });
      if (fresh === "current") rotation.current++;
      else if (fresh === "unopened") rotation.unopened.push(id);
      else {
        const { rowCount } = await client.query(`UPDATE users SET ${column} = $3 WHERE id = $1 AND ${column} = $2`, [
          id,
          sealed,
          fresh.text,
        ]);
        if (rowCount) rotation.resealed++;
        else rotation.changed++;
      }
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
  }
}

type Place = { owner: string; field: string };

function reseal(box: SecretBox, sealed: string, place: Place): "current" | "unopened" | { text: string } {
  try {
    const plain = box.open(sealed, place);
    return box.needsRotation(sealed) ? { text: box.seal(plain, place) } : "current";
  } catch (error) {
    if (error instanceof SecretBoxError) return "unopened";
    throw error;
  }
}

/** For the terminal: counts and ids, never a secret. */
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
