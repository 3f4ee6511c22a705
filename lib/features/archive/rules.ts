import { stringify as toCsv } from "csv-stringify/sync";
import { stringify as toYaml } from "yaml";

/** What a file's name keeps of a title, in code points: three names below each other fit Windows' 260 letters of a path. */
const STEM_LENGTH = 40;
/** And in bytes: a name is 255 of them at most (ext4, APFS). */
const STEM_BYTES = 120;
/** 48 random bits of a UUID: ten thousand namesakes, and still no two alike. */
const UUID_KEPT = 13;

/**
 * The name of a file or folder: the title's letters and digits of any script in lower case, and the id, which makes it
 * unique. Safe on every system: no dots, slashes, reserved names or trailing spaces.
 */
export function fileStem(title: string, id: string | number): string {
  const words = title
    .normalize("NFC")
    .toLocaleLowerCase("en-US")
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const stem = withinBytes([...words].slice(0, STEM_LENGTH), STEM_BYTES).replace(/^-+|-+$/g, "");
  return `${stem || "untitled"}-${typeof id === "number" ? id : id.slice(0, UUID_KEPT)}`;
}

/** As many of the letters as fit. */
function withinBytes(letters: string[], bytes: number): string {
  let kept = "";
  for (const letter of letters) {
    if (Buffer.byteLength(kept + letter) > bytes) break;
    kept += letter;
  }
  return kept;
}

/** Markdown with YAML front matter (jekyllrb.com/docs/front-matter): the fields, a blank line, the body as it is. */
export function withFrontMatter(fields: Record<string, unknown>, body: string): string {
  return `---\n${toYaml(fields, { lineWidth: 0 })}---\n\n${body}`;
}

/**
 * RFC 4180 with a header line and every cell quoted, and a byte order mark, without which Excel reads anything but ASCII
 * wrong. What a spreadsheet would run as a formula gets an apostrophe in front.
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
 * Where a cell begins, or would begin in a spreadsheet that parts cells by semicolons or tabs or ends one at a line break
 * (owasp.org/www-community/attacks/CSV_Injection). Quotes and spaces may stand before the sign.
 */
const FORMULA_BEGINS = /(^|[;,\t\r\n])(?=["' ]*[=+\-@＝＋－＠])/g;
const BLANK_BEGINS = /^(?=["' ]*[\t\r\n])/;

function withoutFormulas(cell: string): string {
  return cell.replace(FORMULA_BEGINS, "$1'").replace(BLANK_BEGINS, "'");
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export const README = `Your Content Planner, as files

account.json                      your account (no password, no keys)
sign-in.json                      how you sign in, and your open sessions (without what opens them)
activity.json                     what happened to the account; failed sign-ins and the like by the day,
                                  with how many times, the first (createdAt) and the last (lastAt)
chats/                            conversations with the planning assistant
jobs/                             what the queues have done
projects/<project>/project.json   the project with buyer persona and topics
  <topic>/keywords.csv            the topic's keywords; what a spreadsheet would take for a formula
                                  has an apostrophe in front: take one away there
  <topic>/<piece>.md              a piece: its facts as YAML front matter, then the body in Markdown
  <topic>/<piece>.outline.md      its outline
  <topic>/<piece>.revisions.json  its earlier texts
`;
