import type pg from "pg";

/** What a back-up leaves out, each with the reason. A restored app begins without it. */
export const LEFT_OUT: Record<string, string> = {
  _prisma_migrations: "the restore applies the migrations itself",
  sessions: "a session that was ended since would be valid again",
  password_resets: "links that were used or replaced since would be valid again",
  site_connections: "they wait ten minutes for the browser that began them",
  verification_tokens: "like the links for a new password",
  leases: "they belong to processes that are gone",
  rate_limits: "counters of the last minutes and hours",
  usage_changes: "it is empty, and read by processes of the version before alone",
  engine_state: "the app finds out itself whether its engine is there",
};

export type Table = {
  name: string;
  /** All columns but generated ones. */
  columns: string[];
};

/** The tables to back up, by name; a partitioned table as a whole. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT t.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE ${OURS} AND t.relkind IN ('r', 'p') AND NOT t.relispartition AND t.relname <> ALL ($1) GROUP BY t.relname ORDER BY t.relname`,
    [Object.keys(LEFT_OUT)],
  );
  return rows;
}

/** Where each sequence stands, as `setval` takes it. */
export type Sequence = { name: string; value: string; isCalled: boolean };

export async function readSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT t.relname AS name FROM pg_class t WHERE ${OURS} AND t.relkind = 'S' ORDER BY t.relname`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const read = `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${client.escapeIdentifier(name)}`;
    const { rows: found } = await client.query<Omit<Sequence, "name">>(read);
    if (found[0]) sequences.push({ name, ...found[0] });
  }
  return sequences;
}

export type ForeignKey = { table: string; name: string; definition: string };

export async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT t.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid WHERE ${OURS} AND c.contype = 'f' AND c.conparentid = 0 ORDER BY 1, 2`,
  );
  return rows;
}

export type Applied = { name: string; checksum: string };

/** The migrations that a database has, oldest first; undefined if it was never migrated. */
export async function readApplied(client: pg.Client): Promise<Applied[] | undefined> {
  const { rows: found } = await client.query<{ is: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS is",
  );
  if (!found[0]?.is) return undefined;
  const { rows } = await client.query<Applied>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

/** Condition for tables of the schema that we use, except an extension's. */
const OURS = `t.relnamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')`;
