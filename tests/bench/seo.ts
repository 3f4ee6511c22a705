import { writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { toHtml } from "hast-util-to-html";
import { judge } from "@/lib/features/content/seo/judge";
import { renderMarkdown } from "@/lib/markdown/render";
import { lengthInWords } from "@/lib/utils/words";
import type { Benchmark, LoneBench } from "@/tests/bench/benchmark";
import { spread } from "@/tests/bench/figures";
import { type Article, readArticles, SITE } from "@/tests/bench/seo/articles";
import { whyDifferent } from "@/tests/bench/seo/differences";
import { createYoast, SHARED_RULES, type SharedRule } from "@/tests/bench/seo/yoast";

export const seo: Benchmark = {
  name: "seo",
  about: "our SEO rules beside those of yoastseo: where they agree, and the time of each (--save)",
  runAlone: compareRules,
};

const WARM_UP_ROUNDS = 2;
const ROUNDS = 4;

/** A rule's verdicts on an article that both judge, each with its sentence. */
type Pair = { rule: SharedRule; article: Article; ours: Said; theirs: Said };
type Said = { isGood: boolean; said: string };
type Judges = { ours: (article: Article) => ReturnType<typeof judge>; theirs: (article: Article) => Map<string, Said> };

/** Prints the tables as Markdown, for docs/seo-comparison.md. */
async function compareRules({ args, print }: LoneBench): Promise<void> {
  const { values } = parseArgs({ args, options: { save: { type: "string" } } });
  const articles = readArticles();
  const judges = createJudges(articles);
  const pairs = articles.flatMap((article) => pairsOf(article, judges));
  const lines = [...agreement(pairs), "", ...disagreements(pairs), "", ...times(articles, judges)];
  for (const line of lines) print(line);
  if (values.save) writeFileSync(values.save, `${lines.join("\n")}\n`);
}

/** Ours reads the Markdown, as the product does; theirs reads the HTML that we make of it. */
function createJudges(articles: Article[]): Judges {
  const html = new Map(articles.map((article) => [article, toHtml(renderMarkdown(article.body).tree)]));
  const yoast = { en: createYoast("en"), de: createYoast("de") };
  return {
    ours: ({ title, body, slug, description, keyword, language }) =>
      judge(
        {
          title,
          body,
          slug,
          metaTitle: null,
          metaDescription: description,
          focusKeyword: keyword,
          language,
          site: SITE,
          others: [],
        },
        renderMarkdown(body).tree,
      ),
    theirs: (article) => yoast[article.language](article, html.get(article) ?? ""),
  };
}

function pairsOf(article: Article, judges: Judges): Pair[] {
  const { judgements } = judges.ours(article);
  const verdicts = judges.theirs(article);
  return SHARED_RULES.flatMap((rule) => {
    const ours = judgements.find((judgement) => judgement.rule === rule);
    const theirs = verdicts.get(rule);
    if (!ours || ours.mark === "unknown" || !theirs) return [];
    return [{ rule, article, ours: { isGood: ours.mark === "good", said: ours.what }, theirs }];
  });
}

function agreement(pairs: Pair[]): string[] {
  const rows = SHARED_RULES.map((rule) => {
    const own = pairs.filter((pair) => pair.rule === rule);
    const good = (side: "ours" | "theirs") => own.filter((pair) => pair[side].isGood).length;
    return [rule, own.length, percentOf(own), good("ours"), good("theirs")];
  });
  const head = ["rule", "articles judged by both", "agreement", "good by ours", "good by theirs"];
  return markdownTable(head, [...rows, ["all", pairs.length, percentOf(pairs), "", ""]]);
}

function percentOf(pairs: Pair[]): string {
  return pairs.length === 0 ? "–" : `${Math.round((pairs.filter(agrees).length / pairs.length) * 100)}%`;
}

function agrees({ ours, theirs }: Pair): boolean {
  return ours.isGood === theirs.isGood;
}

/** A row for each reason. */
function disagreements(pairs: Pair[]): string[] {
  const rows = new Map<string, { cells: string[]; articles: string[] }>();
  for (const pair of pairs.filter((pair) => !agrees(pair))) {
    const { rule, article, ours, theirs } = pair;
    const why =
      whyDifferent(rule, article.name) ?? `Nobody has looked at it. Ours: ${ours.said} Theirs: ${theirs.said}`;
    const cells = [ours.isGood ? "ours" : "theirs", why];
    const key = [rule, ...cells].join();
    const row = rows.get(key) ?? { cells: [rule, ...cells], articles: [] };
    row.articles.push(article.name);
    rows.set(key, row);
  }
  const byRule = SHARED_RULES.flatMap((rule) => [...rows.values()].filter(({ cells }) => cells[0] === rule));
  return markdownTable(
    ["rule", "articles", "good by", "why"],
    byRule.map(({ cells: [rule = "", goodBy = "", why = ""], articles }) => [rule, articles.join(", "), goodBy, why]),
  );
}

function times(articles: Article[], judges: Judges): string[] {
  const measured = { ours: [] as number[], theirs: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const article of articles) {
      for (const side of ["ours", "theirs"] as const) {
        const began = performance.now();
        judges[side](article);
        if (round >= 0) measured[side].push(performance.now() - began);
      }
    }
  }
  const words = articles.map(({ body }) => lengthInWords(body)).sort((a, b) => a - b);
  const rows = (["ours", "theirs"] as const).map((side) => {
    const { median, p10, p90 } = spread(measured[side]);
    return [side, ...[median, p10, p90].map((figure) => figure.toFixed(1))];
  });
  return [
    ...markdownTable(["ms a text", "median", "p10", "p90"], rows),
    "",
    `${articles.length} articles of ${words[0]} to ${words.at(-1)} words, ${ROUNDS} rounds after ${WARM_UP_ROUNDS} to warm up, by turns in one process.`,
  ];
}

function markdownTable(head: string[], rows: (string | number)[][]): string[] {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
}
