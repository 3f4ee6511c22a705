import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Scripts, configuration and tests set the environment up, so they may read it too. */
const READER = "lib/env.ts";

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return file === "lib/db/generated" ? [] : sources(file);
    return /\.tsx?$/.test(entry.name) ? [file] : [];
  });
}

describe("the environment", () => {
  it("is read by lib/env.ts alone", () => {
    const files = ["app", "components", "inngest", "lib"].flatMap(sources);
    expect(files.length).toBeGreaterThan(50);
    const readers = files.filter((file) => readFileSync(file, "utf8").includes("process.env"));
    expect(readers.filter((file) => file !== READER)).toEqual([]);
  });
});
