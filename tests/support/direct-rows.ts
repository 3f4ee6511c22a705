import { bytesOfRow, COUNTED_TEXTS } from "@/lib/limits/counted-texts";

/** The application_name of connections that write rows past the app. */
export const DIRECT = "tests";

/** SQL of triggers that count what tests write themselves, as the app would: what is missing then, the app did not count. */
export function countDirectRows(): string {
  const tables = Object.entries(COUNTED_TEXTS).map(([table, counted]) => {
    const { parent } = counted;
    const owner = parent ? `(SELECT user_id FROM ${parent.table} WHERE id = r.${parent.key})` : "r.user_id";
    const triggers = ["insert", "update"].map(
      (event) => `
        CREATE TRIGGER count_${event} AFTER ${event} ON ${table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT
        WHEN (current_setting('application_name') = '${DIRECT}') EXECUTE FUNCTION count_${table}();`,
    );
    return `
      CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO usage AS u (user_id, bytes) SELECT ${owner}, sum(${bytesOfRow("r", counted)}) FROM added r GROUP BY 1
        ON CONFLICT (user_id) DO UPDATE SET bytes = u.bytes + excluded.bytes, is_exact = false;
        RETURN NULL;
      END $$;
      ${triggers.join("")}`;
  });
  return tables.join("");
}
