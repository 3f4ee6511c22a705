import type pg from "pg";
import { type SecretBox, SecretBoxError, type SecretPlace } from "@/lib/crypto/secret-box";

/**
 * The columns that hold sealed secrets, each with the field name bound into the seal, whose owner is the row, and what users call it.
 * `former`: the seal of the release before, which still opens.
 */
export const SEALED = [
  { table: "users", column: "openai_api_key", field: "openaiApiKey", label: "AI provider keys" },
  { table: "users", column: "wordpress_password", field: "wordpressPassword", label: "WordPress passwords" },
  {
    table: "sites",
    column: "password",
    field: "sitePassword",
    label: "WordPress passwords of sites",
    former: { column: "user_id", field: "wordpressPassword" },
  },
] as const satisfies Sealed[];

export type Sealed = {
  table: string;
  column: string;
  field: string;
  label: string;
  former?: { column: string; field: string };
};

/** A stored secret and its owner. It opens at one of `places`, and a new seal is bound to the first of them. */
export type StoredSecret = { id: string; userId: string; sealed: string; places: SecretPlace[] };

const BATCH = 500;

/** All secrets of a column in batches, by the row's id. */
export async function* readSealed(
  client: pg.Client,
  { table, column, field, former }: Sealed,
): AsyncGenerator<StoredSecret[]> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await client.query<{ id: string; sealed: string; former: string }>(
      `SELECT id, ${column} AS sealed, ${former?.column ?? "id"} AS former FROM ${table}
       WHERE ${column} IS NOT NULL AND id > $1 ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    const secrets = rows.map(({ id, sealed, former: owner }) => ({
      id,
      userId: owner,
      sealed,
      places: [{ owner: id, field }, ...(former ? [{ owner, field: former.field }] : [])],
    }));
    if (secrets.length > 0) yield secrets;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
  }
}

/** The ids of the keys that seal something, sorted. A database of an older release may lack a column. */
export async function readKeyIds(client: pg.Client): Promise<string[]> {
  const { rows: known } = await client.query<{ name: string }>(
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'",
  );
  const names = new Set(known.map(({ name }) => name));
  const ids = SEALED.filter(({ table, column }) => names.has(`${table}.${column}`)).map(
    ({ table, column }) => `SELECT split_part(${column}, '.', 2) AS id FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const { rows } = await client.query<{ id: string }>(`${ids.join(" UNION ")} ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** The secret in clear text, if the seal is of this place and its key is known. */
export function opened(box: SecretBox, sealed: string, place: SecretPlace): string | undefined {
  try {
    return box.open(sealed, place);
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}
