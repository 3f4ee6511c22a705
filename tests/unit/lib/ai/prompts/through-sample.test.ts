import { generate } from "@/lib/ai/generate";
import { ideasPrompt } from "@/lib/ai/prompts/ideas";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";
import { sectionPrompt } from "@/lib/ai/prompts/section";
import type { PieceInput } from "@/lib/ai/prompts/shared";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { createAiProvider } from "@/lib/ai/provider";
import { joinSections, ledSection } from "@/lib/features/generation/rules";
import { fingerprint } from "@/lib/utils/text";
import { keysOf } from "@/lib/utils/title-key";
import { lengthInWords } from "@/lib/utils/words";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { persona, piece, project, topic } from "@/tests/unit/lib/ai/inputs";

let sample: SampleAiProvider;

beforeAll(async () => {
  sample = await startSampleAiProvider();
});
beforeEach(() => {
  sample.faults.clear();
  sample.requests.length = 0;
});
afterAll(() => sample.close());

const provider = () => createAiProvider({ apiKey: sample.apiKey, baseUrl: sample.url, model: "tiny" });

it("suggests ten new keywords of mixed intents, three times in a row", async () => {
  const known: string[] = ["Indoor Herb Gardens  checklist"];
  for (let round = 0; round < 3; round++) {
    const { value } = await generate(
      provider(),
      keywordsPrompt({ project, topic, persona, existing: known, count: 10 }),
    );
    const fresh = value.keywords.map(({ keyword }) => keyword);
    expect(fresh).toHaveLength(10);
    expect(new Set([...known, ...fresh].map(fingerprint)).size).toBe(known.length + 10);
    for (const keyword of fresh) expect(keyword).toMatch(/^\S+( \S+){1,5}$/);
    if (round === 0) expect(new Set(value.keywords.map(({ intent }) => intent)).size).toBeGreaterThanOrEqual(3);
    known.push(...fresh);
  }
  expect(sample.requests).toHaveLength(3);
});

it.each([
  "SEO",
  "grow basil indoors",
  "best lamps for herbs in a dark flat",
  "how to grow basil and mint together in one pot indoors",
])("proposes exactly ten titles of 40 to 65 characters for %j", async (keyword) => {
  const prompt = ideasPrompt({ project, topic, persona, keyword, count: 10, existingTitles: [], taken: new Set() });
  const { value } = await generate(provider(), prompt);
  const titles = value.ideas.map(({ title }) => title);
  expect(new Set(titles.map(fingerprint)).size).toBe(10);
  for (const title of titles) expect([title, title.length >= 40 && title.length <= 65]).toEqual([title, true]);
  const more = await generate(
    provider(),
    ideasPrompt({
      project,
      topic,
      persona,
      keyword,
      count: 3,
      existingTitles: titles,
      taken: new Set(titles.flatMap(keysOf)),
    }),
  );
  expect(more.value.ideas.filter(({ title }) => titles.includes(title))).toEqual([]);
  expect(sample.requests).toHaveLength(2);
});

it("returns the same answer every time", async () => {
  const first = await generate(provider(), outlinePrompt(piece));
  const again = await generate(provider(), outlinePrompt(piece));
  expect(again.value).toBe(first.value);
});

it("plans from the keyword, the topic and the persona's challenges", async () => {
  const { value } = await generate(provider(), outlinePrompt(piece));
  const sections = parseOutlineSections(value);
  expect(sections.length).toBeGreaterThanOrEqual(5);
  expect(sections.length).toBeLessThanOrEqual(9);
  expect(value).toContain("grow basil indoors");
  expect(value.toLowerCase()).toContain("plants always die in her kitchen");
});

describe.each([
  ["its own outline", null],
  ["an outline written by hand", "# Basil\n\n- Why it dies\n- The pot\n- The window\n- The weekly minute"],
])("a whole post from %s", (_what, byHand) => {
  it("is written section by section, about as long as requested, and repeats no paragraph", async () => {
    const outline = byHand ?? (await generate(provider(), outlinePrompt(piece))).value;
    sample.requests.length = 0;
    const { body, sections } = await writePost(piece, outline, 1_300);
    expect(sample.requests).toHaveLength(sections.length);

    const paragraphs = body.split("\n\n").filter((paragraph) => lengthInWords(paragraph) > 8);
    expect(new Set(paragraphs.map(fingerprint)).size).toBe(paragraphs.length);
    expect(lengthInWords(body)).toBeGreaterThan(1_300 * 0.8);
    expect(lengthInWords(body)).toBeLessThan(1_300 * 1.25);
    expect(body.match(/Sample text by the built-in sample provider/g)).toHaveLength(1);
    expect(body.match(/^## /gm)).toHaveLength(sections.length);
    expect(body).toMatch(/^You will know after this guide [^\n]+\n\n## /);
    expect(body.toLowerCase()).toContain("indoor herb gardens");
    expect(body).toContain("grow basil indoors");
    expect(findStockPhrases(body)).toEqual([]);
  });
});

it("sends the whole outline and all earlier sections with each section", async () => {
  const outline = (await generate(provider(), outlinePrompt(piece))).value;
  sample.requests.length = 0;
  const { texts } = await writePost(piece, outline, 900);
  const last = String(sample.requests.at(-1)?.body.messages[1]?.content);
  expect(last).toContain(outline);
  for (const text of texts.slice(0, -1)) expect(last).toContain(text);
});

it("can fail for a single piece, like a poison item", async () => {
  sample.faults.matching("The poisoned title", "server-error");
  await expect(generate(provider(), outlinePrompt({ ...piece, title: "The poisoned title" }))).rejects.toMatchObject({
    type: "AI_PROVIDER_ERROR",
  });
  await expect(generate(provider(), outlinePrompt(piece))).resolves.toBeDefined();
});

it("lists its models for a plain OpenAI client", async () => {
  const models: unknown = await (await fetch(`${sample.url}/models`)).json();
  expect(models).toMatchObject({ object: "list" });
  const elsewhere = await fetch(`${sample.url}/elsewhere`);
  expect(elsewhere.status).toBe(404);
});

async function writePost(input: PieceInput, outline: string, words: number) {
  const sections = parseOutlineSections(outline);
  const budgets = wordBudgets(sections, words);
  const texts: string[] = [];
  let body = "";
  for (const [index, { heading, brief }] of sections.entries()) {
    const prompt = sectionPrompt({
      ...input,
      outline,
      heading,
      headingIndex: index,
      headingCount: sections.length,
      brief,
      textSoFar: body,
      wordBudget: budgets[index] ?? 0,
    });
    const { value } = await generate(provider(), prompt, { onDelta: () => undefined });
    const section = ledSection(heading, value);
    texts.push(section.text);
    body = [body, joinSections([section])].filter(Boolean).join("\n\n");
  }
  return { body, sections, texts };
}
