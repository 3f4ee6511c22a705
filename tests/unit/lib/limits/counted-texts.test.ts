import { readFileSync } from "node:fs";
import { COUNTED_TEXTS } from "@/lib/limits/counted-texts";

/** Texts of the app's own, which are short. */
const UNCOUNTED = ["model", "prompt_version"];

it.each(Object.entries(COUNTED_TEXTS))("counts every text column of %s", (table, { texts }) => {
  expect(textColumns(table).filter((column) => !UNCOUNTED.includes(column))).toEqual(texts);
});

/** The columns of Prisma's type String, without ids and generated ones. */
function textColumns(table: string): string[] {
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  const model = new RegExp(`^model \\w+ \\{(?:(?!^\\}).)*@@map\\("${table}"\\)`, "ms").exec(schema)?.[0] ?? "";
  return [...model.matchAll(/^ {2}(\w+) +String(?:\?|\[\])?(?= |$)(.*)$/gm)]
    .filter(([, , attributes]) => !/@db\.Uuid|dbgenerated/.test(attributes ?? ""))
    .map(([, name = "", attributes]) => /@map\("(\w+)"\)/.exec(attributes ?? "")?.[1] ?? name);
}
