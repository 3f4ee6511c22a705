import type pg from "pg";
import { DatabaseClient } from "@/lib/db/client";
import { databaseConfig } from "@/lib/utils/database-address";

/** A client that is not yet connected. lib/env.ts is not asked: commands load .env after their imports. */
export function databaseClient(url: string, options: pg.ClientConfig = {}): pg.Client {
  return new DatabaseClient({ ...databaseConfig(url, process.env.DATABASE_CA || undefined), ...options });
}
