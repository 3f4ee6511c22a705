import { createSecretBox } from "@/lib/crypto/secret-box";
import { databaseClient } from "@/scripts/database-client";
import { opened, readSealed, SEALED } from "@/scripts/sealed-secrets";

/** How many secrets of a kind the keys of this installation do not open, by the id of the key that sealed them. */
export type Unreadable = { label: string; keyId: string; count: number };

/** Tries to open every secret in the database with `keys` (ENCRYPTION_KEYS). */
export async function findUnreadable(url: string, keys: string): Promise<Unreadable[]> {
  const box = createSecretBox(keys);
  const found = new Map<string, Unreadable>();
  const client = databaseClient(url);
  await client.connect();
  try {
    for (const place of SEALED) {
      for await (const batch of readSealed(client, place)) {
        for (const { sealed, places } of batch) {
          if (places.some((each) => opened(box, sealed, each) !== undefined)) continue;
          const keyId = sealed.split(".")[1] ?? "";
          const entry = { label: place.label, keyId, count: 0, ...found.get(`${place.label} ${keyId}`) };
          found.set(`${place.label} ${keyId}`, { ...entry, count: entry.count + 1 });
        }
      }
    }
  } finally {
    await client.end();
  }
  return [...found.values()];
}

/** The report for the terminal; empty when everything can be read. */
export function unreadableReport(unreadable: Unreadable[]): string {
  if (unreadable.length === 0) return "";
  const kinds = unreadable.map(({ label, keyId, count }) => `${count} ${label} (sealed with ${keyId})`).join(", ");
  return (
    `These cannot be read with the ENCRYPTION_KEYS of this installation: ${kinds}. ` +
    "Add the keys of the installation that was backed up to ENCRYPTION_KEYS and start again, or ask people to enter them anew in Settings."
  );
}
