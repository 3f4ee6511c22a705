import { readFileSync } from "node:fs";

/** Reads a JSON file; undefined if it is missing or not JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
