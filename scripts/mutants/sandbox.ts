import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A copy of the project in which one file at a time is mutated. */
export type Sandbox = {
  folder: string;
  /** Runs `work` while the file has this content. */
  withFile<Result>(file: string, text: string, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
};

const EXCLUDED = /^(node_modules|\.git|\.data|\.next.*|docs|test-results|playwright-report)$/;

export function createSandbox(): Sandbox {
  const folder = mkdtempSync(path.join(os.tmpdir(), "content-planner-mutants-"));
  const root = process.cwd();
  cpSync(root, folder, { recursive: true, filter: (source) => !EXCLUDED.test(path.relative(root, source)) });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
  return {
    folder,
    async withFile(file, text, work) {
      const place = path.join(folder, file);
      const original = readFileSync(place);
      writeFileSync(place, text);
      try {
        return await work();
      } finally {
        writeFileSync(place, original);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
