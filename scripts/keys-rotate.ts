import pg from "pg";
import { createSecretBox, type SecretBox, SecretBoxError } from "@/lib/crypto/secret-box";

/** Where sealed secrets lie: the column, and the field that is sealed in with it. */
const SEALED = [
  { column: "openai_api_key", field: "openaiApiKey" },
  { column: "wordpress_password", field: "wordpressPassword" },
] as const;

/** Rows that are read at once. */
const BATCH = 500;

export type Rotation = {
  resealed: number;
  /** Were sealed with the first key already. */
  current: number;
  /** Changed by the person meanwhile; the app has sealed them with the first key. */
  changed: number;
  /** Users with a secret that no key of the ring opens. */
  unopened: string[];
};

/**
 * Seals every stored secret again with the first key of the ring `k2:…,k1:…`. Safe to run twice and while the app runs: a
 * secret is replaced only if it still is the one that was read.
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
      const fresh = resealed(box, sealed, { owner: id, field });
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

function resealed(box: SecretBox, sealed: string, place: Place): "current" | "unopened" | { text: string } {
  try {
    const plain = box.open(sealed, place);
    return box.needsRotation(sealed) ? { text: box.seal(plain, place) } : "current";
  } catch (error) {
    if (error instanceof SecretBoxError) return "unopened";
    throw error;
  }
}

/** What a person running it reads: counts and ids, never a secret. */
export function rotationReport({ resealed, current, changed, unopened }: Rotation): string {
  const total = resealed + current + changed + unopened.length;
  const lines = [
    `${resealed} of ${total} secrets sealed again with the first key; ${current + changed} had it already.`,
  ];
  if (unopened.length > 0) {
    lines.push(
      `${unopened.length} could not be opened with any key of ENCRYPTION_KEYS: put the missing key back, or ask these people to enter their secrets again: ${[...new Set(unopened)].join(", ")}`,
    );
  }
  return lines.join("\n");
}
