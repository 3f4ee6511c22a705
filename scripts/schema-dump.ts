import { existsSync, readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { runChild } from "@/scripts/child";
import { debianBinary } from "@/scripts/debian-postgres";
import { applyMigrations, OLDEST_POSTGRES } from "@/scripts/migrate";

/** The schema that the migrations make, to read in one place. */
const FILE = "prisma/schema.sql";
const DATABASE = "schema_dump";

/**
 * Compares prisma/schema.sql with what the migrations make on this server, or writes it. Returns a sentence if they differ.
 * Works only with the oldest PostgreSQL: each version dumps in its own words.
 */
export async function compareSchema(serverUrl: string, write: boolean): Promise<string | undefined> {
  const schema = await schemaOf(serverUrl);
  if (write) writeFileSync(FILE, schema);
  if (existsSync(FILE) && readFileSync(FILE, "utf8") === schema) return undefined;
  return `${FILE} is not what the migrations make: run npm run test:postgres -- --write-schema.`;
}

async function schemaOf(serverUrl: string): Promise<string> {
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${DATABASE}`);
    const url = new URL(serverUrl);
    url.pathname = DATABASE;
    await applyMigrations(url.href);
    const options = ["--schema-only", "--no-owner", "--no-privileges", "--exclude-table=_prisma_migrations"];
    const dumped = await runChild([debianBinary(OLDEST_POSTGRES, "pg_dump"), ...options, url.href], {
      env: process.env,
      keepLines: Number.POSITIVE_INFINITY,
    });
    if (dumped.code !== 0) throw new Error(`pg_dump failed: ${dumped.lastLines}`);
    return withoutSettings(dumped.lastLines);
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    await server.end();
  }
}

/** Leaves out what names the server's version and what only a restore needs. */
function withoutSettings(dump: string): string {
  const lines = dump
    .split("\n")
    .filter((line) => !/^(--|SET |SELECT pg_catalog\.set_config|\\(un)?restrict )/.test(line));
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}
