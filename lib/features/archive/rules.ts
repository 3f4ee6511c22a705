import { stringify as toCsv } from "csv-stringify/sync";
import { stringify as toYaml } from "yaml";

/** Code points of a title that a file's name keeps. */
const STEM_LENGTH = 60;

/**
 * The name of a file or folder: the title's letters and digits of any script in lower case, and the id, which makes it
 * unique. Safe on every system: no dots, slashes, reserved names or trailing spaces.
 */
export function fileStem(title: string, id: string | number): string {
  const words = title
    .normalize("NFC")
    .toLocaleLowerCase("en-US")
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const stem = [...words]
    .slice(0, STEM_LENGTH)
    .join("")
    .replace(/^-+|-+$/g, "");
  return `${stem || "untitled"}-${String(id).slice(0, 8)}`;
}

/** Markdown with YAML front matter (jekyllrb.com/docs/front-matter): the fields, a blank line, the body as it is. */
export function withFrontMatter(fields: Record<string, unknown>, body: string): string {
  return `---\n${toYaml(fields, { lineWidth: 0 })}---\n\n${body}`;
}

/** RFC 4180 with a header line. What a spreadsheet would run as a formula gets an apostrophe in front. */
export function keywordsCsv(keywords: { keyword: string; createdAt: Date }[]): string {
  const rows = keywords.map(({ keyword, createdAt }) => ({ keyword, createdAt: createdAt.toISOString() }));
  return toCsv(rows, {
    header: true,
    columns: ["keyword", "createdAt"],
    escape_formulas: true,
    record_delimiter: "windows",
  });
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export const README = `Your Content Planner, as files

account.json                      your account (no password, no keys)
sign-in.json                      how you sign in, and your open sessions (without what opens them)
activity.json                     what happened to the account
chats/                            conversations with the planning assistant
jobs/                             what the queues have done
projects/<project>/project.json   the project with buyer persona and topics
  <topic>/keywords.csv            the topic's keywords; a keyword that a spreadsheet would take for a formula
                                  has an apostrophe in front
  <topic>/<piece>.md              a piece: its facts as YAML front matter, then the body in Markdown
  <topic>/<piece>.outline.md      its outline
  <topic>/<piece>.revisions.json  its earlier texts
`;
