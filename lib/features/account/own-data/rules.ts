import { stringify as toCsv } from "csv-stringify/sync";
import { stringify as toYaml } from "yaml";

/** The limit in code points: three nested names fit Windows' 260-character paths. */
const STEM_LENGTH = 40;
/** The limit in bytes: ext4 and APFS allow 255 per name. */
const STEM_BYTES = 120;
/** 48 random bits: no collision among ten thousand equal titles. */
const UUID_KEPT = 13;

/**
 * A unique file or folder name: the title's letters, with their marks, and digits in lower case, then the id. It is safe on every system: it
 * has no dots, slashes, reserved names or trailing spaces.
 */
export function fileStem(title: string, id: string | number): string {
  const words = title
    .normalize("NFC")
    .toLocaleLowerCase("en-US")
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const stem = withinBytes([...words].slice(0, STEM_LENGTH), STEM_BYTES).replace(/^[-\p{M}]+|-+$/gu, "");
  return `${stem || "untitled"}-${typeof id === "number" ? id : id.slice(0, UUID_KEPT)}`;
}

function withinBytes(letters: string[], bytes: number): string {
  let kept = "";
  for (const letter of letters) {
    if (Buffer.byteLength(kept + letter) > bytes) break;
    kept += letter;
  }
  return kept;
}

/** jekyllrb.com/docs/front-matter */
export function withFrontMatter(fields: Record<string, unknown>, body: string): string {
  return `---\n${toYaml(fields, { lineWidth: 0 })}---\n\n${body}`;
}

/**
 * CSV as in RFC 4180, with a header and every cell quoted. Excel needs the byte order mark to read non-ASCII text. Cells
 * that a spreadsheet would run as a formula get an apostrophe in front.
 */
export function keywordsCsv(keywords: { keyword: string; createdAt: Date }[]): string {
  const rows = keywords.map(({ keyword, createdAt }) => ({
    keyword: withoutFormulas(keyword),
    createdAt: createdAt.toISOString(),
  }));
  return toCsv(rows, {
    header: true,
    bom: true,
    columns: ["keyword", "createdAt"],
    quoted: true,
    record_delimiter: "windows",
  });
}

/**
 * The start of a cell, also in spreadsheets that split at semicolons, tabs or line breaks
 * (owasp.org/www-community/attacks/CSV_Injection). Quotes and spaces may precede the sign.
 */
const FORMULA_START = /(^|[;,\t\r\n])(?=["' ]*[=+\-@＝＋－＠])/g;
const BLANK_START = /^(?=["' ]*[\t\r\n])/;

function withoutFormulas(cell: string): string {
  return cell.replace(FORMULA_START, "$1'").replace(BLANK_START, "'");
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * The JSON of an object whose last member is a long list, or, without an object, of the list; in parts. A row's member may be a
 * long text that comes in parts itself.
 */
export async function* jsonWithList(
  rows: AsyncIterable<Record<string, unknown>>,
  object?: object,
  name = "",
): AsyncGenerator<string> {
  const [before, after] = object ? aroundList(object, name) : ["[", "]\n"];
  const indent = object ? "    " : "  ";
  yield before;
  let count = 0;
  for await (const row of rows) {
    yield `${count++ > 0 ? "," : ""}\n${indent}{`;
    yield* membersOf(row, `${indent}  `);
    yield `\n${indent}}`;
  }
  yield `${count > 0 ? `\n${indent.slice(2)}` : ""}${after}`;
}

async function* membersOf(row: Record<string, unknown>, indent: string): AsyncGenerator<string> {
  let comma = "";
  for (const [key, value] of Object.entries(row)) {
    yield `${comma}\n${indent}${JSON.stringify(key)}: `;
    if (isInParts(value)) yield* jsonText(value);
    else yield JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
    comma = ",";
  }
}

function isInParts(value: unknown): value is AsyncIterable<string> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** A string, each part of which is a string of its own: none splits a character. */
async function* jsonText(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/** A list whose rows come as JSON already, some together; in parts. */
export async function* jsonList(pages: AsyncIterable<string>): AsyncGenerator<string> {
  let before = "[\n  ";
  for await (const rows of pages) {
    yield before + rows;
    before = ",\n  ";
  }
  yield before === ",\n  " ? "\n]\n" : "[]\n";
}

/** What `json` writes before and after the rows of a list that is the object's last member. */
function aroundList(object: object, name: string): [string, string] {
  const text = json({ ...object, [name]: [] });
  const at = text.lastIndexOf("]");
  return [text.slice(0, at), text.slice(at)];
}

export const README = `Your Content Planner, as files

account.json                      your account (no password, no keys)
sign-in.json                      how you sign in, and your open sessions (without what opens them)
activity.json                     what happened to the account; failed sign-ins and the like by the day,
                                  with how many times, the first (createdAt) and the last (lastAt)
instructions.json                 instructions to the AI that you have saved
chats/                            conversations with the planning assistant
jobs/                             what the queues and publishing have done
sites.json                        the WordPress sites you have connected (no logins)
projects/<project>/project.json   the project with buyer persona and topics
  <topic>/keywords.csv            the topic's keywords; what a spreadsheet would take for a formula
                                  has an apostrophe in front: take one away there
  <topic>/<piece>.md              a piece: its facts as YAML front matter, then the body in Markdown
  <topic>/<piece>.outline.md      its outline
  <topic>/<piece>.revisions.json  its earlier texts
`;
