import "server-only";
import { Prisma } from "@/lib/db/generated/client";

/** SQL: the columns of a model's fields, each under its field's name. A column is its field in snake case. */
export function columnsSql(table: string, fields: string[]): Prisma.Sql {
  const columns = fields.map(
    (field) => `${table}.${field.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase()} AS "${field}"`,
  );
  return Prisma.raw(columns.join(", "));
}
