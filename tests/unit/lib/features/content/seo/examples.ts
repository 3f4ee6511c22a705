import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { judge } from "@/lib/features/content/seo/judge";
import type { Judged } from "@/lib/features/content/seo/material";
import type { RuleId } from "@/lib/features/content/seo/rules";
import { renderMarkdown } from "@/lib/markdown/render";

const part = z.union([z.string(), z.strictObject({ repeat: z.string(), times: z.number() })]);
const file = z.strictObject({
  rule: z.string(),
  examples: z.array(
    z.strictObject({
      name: z.string(),
      given: z.strictObject({
        title: z.string().optional(),
        body: z.union([z.string(), z.array(part)]),
        slug: z.string().optional(),
        metaTitle: z.string().optional(),
        metaDescription: z.string().optional(),
        focusKeyword: z.string().optional(),
        language: z.string().optional(),
        site: z.string().optional(),
        others: z.array(z.strictObject({ title: z.string(), focusKeyword: z.string().nullable() })).optional(),
      }),
      mark: z.enum(["good", "fair", "poor", "unknown"]),
      value: z.number().nullable(),
      byHand: z.string(),
    }),
  ),
});
type Given = z.infer<typeof file>["examples"][number]["given"];

const DIRECTORY = path.join(process.cwd(), "tests/unit/lib/features/content/seo/examples");

/** The worked examples of a folder, each with what its rule says. */
export function judgedExamples(folder: "open" | "closed") {
  return readdirSync(path.join(DIRECTORY, folder)).flatMap((name) => {
    const { rule, examples } = examplesIn(`${folder}/${name}`);
    return examples.map((example) => {
      const judgement = verdictOn(rule as RuleId, example.given);
      return { name: `${rule}: ${example.name}`, rule, example, judgement };
    });
  });
}

/** The bodies of the worked examples of a rule, such as `open/text-length`. */
export function exampleBodies(rule: string): string[] {
  return examplesIn(`${rule}.json`).examples.map(({ given }) => withPicturesOfTheWeb(bodyOf(given.body)));
}

function examplesIn(name: string) {
  return file.parse(JSON.parse(readFileSync(path.join(DIRECTORY, name), "utf8")));
}

/** The examples' pictures are meant to be on the web: one with the name of a file alone is left out of a post. */
function withPicturesOfTheWeb(body: string): string {
  const address = "[\\w-]+\\.(?:jpe?g|png|webp|gif|svg)";
  return body.replace(
    new RegExp(`(!\\[[^\\]]*\\]\\(|\\bsrc="|^\\[\\w+\\]: )(?=${address})`, "gm"),
    "$1https://pictures.example.org/",
  );
}

function verdictOn(rule: RuleId, given: Given) {
  const body = withPicturesOfTheWeb(bodyOf(given.body));
  const piece: Judged = {
    title: given.title ?? "",
    body,
    slug: given.slug ?? null,
    metaTitle: given.metaTitle ?? null,
    metaDescription: given.metaDescription ?? null,
    focusKeyword: given.focusKeyword ?? null,
    language: given.language ?? null,
    site: given.site ?? null,
    others: given.others ?? [],
  };
  const { judgements } = judge(piece, renderMarkdown(body).tree);
  const judgement = judgements.find((each) => each.rule === rule);
  if (!judgement) throw new Error(`There is no rule ${rule}.`);
  return judgement;
}

/** Parts are joined by a space, unless one begins with a line break. */
function bodyOf(body: Given["body"]): string {
  if (typeof body === "string") return body;
  return body
    .map((each) => (typeof each === "string" ? each : Array(each.times).fill(each.repeat).join(" ")))
    .reduce(
      (text, each) => (text === "" || text.endsWith("\n") || each.startsWith("\n") ? text + each : `${text} ${each}`),
      "",
    );
}
