import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig } from "prisma/config";
import { schemaEngineAddress } from "./lib/utils/database-address";

// `prisma generate` needs no database; the migrations go past a pooler when there is a direct address.
const address = process.env.DIRECT_DATABASE_URL || process.env.DATABASE_URL;
const url = address && schemaEngineAddress(address, process.env.DATABASE_CA || undefined, keepUntilExit);

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(url ? { datasource: { url } } : {}),
});

/** Writes the authority's certificates to a file for the engine, which takes nothing else. */
function keepUntilExit(pem: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "database-ca-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "ca.pem");
  writeFileSync(file, pem);
  // Of several certificates the engine reads only the first; OpenSSL under it reads them all from here.
  process.env.SSL_CERT_FILE = file;
  return file;
}
