import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A post as a user wrote it, and the blocks that its readers should get, written by hand. */
export type CorpusPost = { slug: string; title: string | undefined; markdown: string; outline: string[] };

const FOLDER = path.resolve("tests/support/posts");

/** The posts of tests/support/posts. */
export function corpusPosts(): CorpusPost[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const slug = name.slice(0, -".md".length);
      const lines = read(`${slug}.blocks`).trimEnd().split("\n");
      const [, title] = /^title: (.*)$/.exec(lines[0] ?? "") ?? [];
      return { slug, title, markdown: read(name), outline: title === undefined ? lines : lines.slice(1) };
    });
}

function read(name: string): string {
  return readFileSync(path.join(FOLDER, name), "utf8");
}
