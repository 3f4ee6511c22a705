import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ENV_NAMES } from "@/lib/env";
import { ERROR_TYPES } from "@/lib/errors";

const text = readFileSync("docs/operations.md", "utf8").replace(/\s+/g, " ");

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return file === "lib/db/generated" ? [] : sources(file);
    return /\.tsx?$/.test(entry.name) ? [readFileSync(file, "utf8")] : [];
  });
}

const code = ["app", "inngest", "lib"].flatMap(sources).join("\n") + readFileSync("instrumentation.ts", "utf8");
const quoted = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, found]) => String(found)))];

describe("docs/operations.md", () => {
  it("names metrics and attributes that the app has", () => {
    const names = quoted(/`((?:planner|gen_ai)\.[\w.]+)`/g);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
  });

  it("names the runtime's metrics as its instrumentation does", () => {
    const names = quoted(/`(nodejs\.[\w.]+)`/g);
    expect(names).toEqual(["nodejs.eventloop.delay.p99"]);
  });

  it("names failures of the catalogue", () => {
    const names = quoted(/`([A-Z]+_[A-Z_]+)`/g).filter((name) => !ENV_NAMES.includes(name));
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !ERROR_TYPES.some((type) => type === name))).toEqual([]);
  });

  it("quotes log lines and sentences as they are", () => {
    const lines = quoted(/"([A-Za-z][^"`*]{8,90})"/g);
    expect(lines.length).toBeGreaterThan(3);
    const everything = code + readFileSync("lib/errors.ts", "utf8");
    expect(lines.filter((line) => !everything.includes(line))).toEqual([]);
  });

  it("names operations of the API", () => {
    expect(code).toContain('operationId: "login"');
  });
});
