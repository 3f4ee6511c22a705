import { existsSync } from "node:fs";

/** Reads .env.local and .env as Next.js does: what is set already stays, and .env.local comes before .env. */
export function loadEnvFiles(): void {
  for (const file of [".env.local", ".env"]) {
    if (existsSync(file)) process.loadEnvFile(file);
  }
}
