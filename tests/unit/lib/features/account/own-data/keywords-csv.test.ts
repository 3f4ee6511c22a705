import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { keywordsCsv } from "@/lib/features/account/own-data/rules";

const at = new Date("2026-11-22T10:00:00Z");
const csvOf = (...keywords: string[]) => keywordsCsv(keywords.map((keyword) => ({ keyword, createdAt: at })));

/** The cells of the first column as a program with this separator reads them. */
function cells(csv: string, delimiter = ","): string[][] {
  return parse(csv, { bom: true, delimiter, relax_column_count: true, relax_quotes: true, record_delimiter: "\r\n" });
}

/** Removes the apostrophe before a formula, as README.txt explains. */
function original(cell: string): string {
  return cell.replace(/^'(?=["' ]*[\t\r\n])/, "").replace(/(^|[;,\t\r\n])'(?=["' ]*[=+\-@＝＋－＠])/g, "$1");
}

const FORMULAS = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  '"=1+1"',
  "'=1+1",
  " =1+1",
  "first\n=1+1",
  "first\r\n=1+1",
  "first;=1+1",
  "first,=1+1",
  "first\t=1+1",
  'first";"=1+1',
  'first","=1+1',
];

describe("keywords.csv", () => {
  it("quotes every cell", () => {
    expect(csvOf("seed trays", 'a "mix"')).toBe(
      '\uFEFF"keyword","createdAt"\r\n"seed trays","2026-11-22T10:00:00.000Z"\r\n"a ""mix""","2026-11-22T10:00:00.000Z"\r\n',
    );
  });

  it.each(FORMULAS)("leaves no part of %j that a spreadsheet would run, whatever separator it uses", (formula) => {
    const [, [cell = ""] = []] = cells(csvOf(formula));
    for (const part of cell.split(/[;,\t\r\n]/)) expect(part).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
    expect(cell).not.toMatch(/^[\t\r\n]/);
    for (const part of cells(csvOf(formula), ";").flat()) expect(part).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
    expect(original(cell)).toBe(formula);
  });

  it("leaves other texts as they are", () => {
    for (const plain of ["seed trays", "e-mail", "C++", "a = b", "50% off - today", "'quoted'", "name@example.com"]) {
      expect(cells(csvOf(plain))[1]?.[0]).toBe(plain);
    }
  });

  it("preserves every character of any keyword", () => {
    const letters = fc.constantFrom(..."=+-@＝'\";, \t\r\n", "a", "é", "🌱");
    const keyword = fc.oneof(
      fc.string({ unit: letters, minLength: 1, maxLength: 12 }),
      fc.string({ unit: "grapheme", minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(keyword, { minLength: 1, maxLength: 5 }), (keywords) => {
        const rows = cells(csvOf(...keywords)).slice(1);
        expect(rows.map(([cell = ""]) => original(cell))).toEqual(keywords);
      }),
    );
  });
});
