import { existsSync } from "node:fs";

/** Loads .env.local and .env like Next.js: existing variables stay, and .env.local wins over .env. */
export function loadEnvFiles(): void {
  for (const file of [".env.local", ".env"]) {
    if (existsSync(file)) process.loadEnvFile(file);
  }
}
