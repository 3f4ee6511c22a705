import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readJson } from "@/scripts/json-file";

/** What has been made of the demo's content. Null: the user was faster, or deleted what it belongs to. */
type Made = { [name: string]: number | string | true | null };

export type DemoRecord = {
  /** Makes it, unless an earlier start did; returns what was made. */
  once<Result extends number | string | true>(name: string, make: () => Promise<Result | null>): Promise<Result | null>;
  finish(): void;
};

/** prisma/seed.ts creates this file for a new account. An account without one is older than the content: it stays as it is. */
export function recordFile(folder: string): string {
  return path.join(folder, "demo-content.json");
}

/** Undefined when there is nothing to make: the content is complete, or the account began without it. */
export function openRecord(file: string): DemoRecord | undefined {
  const made = existsSync(file) ? (readJson(file) as Made | undefined) : undefined;
  if (!made || made[FINISHED]) return undefined;
  const note = (name: string, result: Made[string]) => {
    made[name] = result;
    // Renamed into place, so that a crash leaves the old file intact.
    writeFileSync(`${file}.new`, JSON.stringify(made));
    renameSync(`${file}.new`, file);
  };
  return {
    async once<Result extends number | string | true>(name: string, make: () => Promise<Result | null>) {
      if (!(name in made)) note(name, await make());
      return made[name] as Result | null;
    },
    finish: () => note(FINISHED, true),
  };
}

const FINISHED = "finished";
