import type pg from "pg";

/** The columns that hold sealed secrets, each with the field name bound into the seal and what users call it. */
export const SEALED = [
  { column: "openai_api_key", field: "openaiApiKey", label: "AI provider keys" },
  { column: "wordpress_password", field: "wordpressPassword", label: "WordPress passwords" },
] as const;

const BATCH = 500;

/** All secrets of a column in batches, by the owner's id. */
export async function* readSealed(
  client: pg.Client,
  { column }: Pick<(typeof SEALED)[number], "column">,
): AsyncGenerator<{ id: string; sealed: string }[]> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `SELECT id, ${column} AS sealed FROM users WHERE ${column} IS NOT NULL AND id > $1 ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
  }
}

/** The ids of the keys that seal something, sorted. */
export async function readKeyIds(client: pg.Client): Promise<string[]> {
  const ids = SEALED.map(
    ({ column }) => `SELECT split_part(${column}, '.', 2) AS id FROM users WHERE ${column} IS NOT NULL`,
  );
  const { rows } = await client.query<{ id: string }>(`${ids.join(" UNION ")} ORDER BY id`);
  return rows.map(({ id }) => id);
}
