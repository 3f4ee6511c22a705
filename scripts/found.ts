import { readFileSync } from "node:fs";
import path from "node:path";
import { type Env, isDevMode, isSwitch, withScheme } from "@/lib/env";
import { DEV_SERVER, type Engine } from "@/scripts/engine";

// Addresses are shown as host, port and name: the rest can hold a user and a password.

/** Which database the start found: `Database: embedded PostgreSQL 18 (.data)`. */
export function databaseLine(
  { url, embedded }: { url: string; embedded?: { cluster: string } },
  folder: string,
): string {
  if (!embedded) return `Database: ${placeOf(url)} (DATABASE_URL)`;
  const version = readFileSync(path.join(embedded.cluster, "PG_VERSION"), "utf8").trim();
  return `Database: embedded PostgreSQL ${version} (${path.relative("", folder) || "."})`;
}

/** Host, port and name of a database. One without a host is reached through a socket. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || "local socket"}${pathname}`;
}

/** Which Inngest the start found: its dev server, the embedded engine, one of the user's own, or Inngest Cloud. */
export function engineLine(
  { kind, environment }: Pick<Engine, "kind" | "environment">,
  values: Pick<Env, "deployed" | "INNGEST_DEV" | "INNGEST_BASE_URL">,
): string {
  if (kind === "embedded") return "Inngest: embedded";
  const devServer = environment.INNGEST_DEV ?? values.INNGEST_DEV;
  if (!values.deployed && isDevMode(devServer)) {
    const { port } = new URL(isSwitch(devServer) ? DEV_SERVER : withScheme(devServer));
    return `Inngest: dev server on :${port || 80}`;
  }
  return `Inngest: ${values.INNGEST_BASE_URL ? hostOf(values.INNGEST_BASE_URL) : "cloud"}`;
}

function hostOf(address: string): string {
  return URL.canParse(withScheme(address)) ? new URL(withScheme(address)).host : "INNGEST_BASE_URL";
}
