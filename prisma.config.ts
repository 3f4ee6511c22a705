import { defineConfig } from "prisma/config";

// `prisma generate` needs no database; the migrations go past a pooler when there is a direct address.
const url = process.env.DIRECT_DATABASE_URL || process.env.DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(url ? { datasource: { url } } : {}),
});
