import { ideasPrompt } from "@/lib/ai/prompts/ideas";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { rewritePrompt } from "@/lib/ai/prompts/rewrite";
import { sectionPrompt } from "@/lib/ai/prompts/section";
import { findStockPhrases, STOCK_PHRASES } from "@/lib/ai/prompts/stock-phrases";
import { keysOf } from "@/lib/utils/title-key";
import { persona, piece, project, topic } from "@/tests/unit/lib/ai/inputs";

describe("keywords", () => {
  const prompt = keywordsPrompt({ project, topic, persona, existing: ["Basil  Pot", "herb light"], count: 2 });
  const read = (...keywords: string[]) =>
    prompt.read(JSON.stringify({ keywords: keywords.map((keyword) => ({ keyword, intent: "informational" })) }));

  it("are tidied and limited to the requested number", () => {
    expect(read('"grow mint indoors"', "2. water  herbs", "one too many")).toEqual({
      ok: true,
      value: {
        keywords: [
          { keyword: "grow mint indoors", intent: "informational" },
          { keyword: "water herbs", intent: "informational" },
        ],
      },
    });
  });

  it.each(["3d printing for beginners", "401k rollover", "10 minute workouts", ".net tutorial", "2.5 inch pots"])(
    "keep the number that they begin with: %j",
    (keyword) => {
      expect(read(keyword, "grow mint indoors")).toMatchObject({ value: { keywords: [{ keyword }, {}] } });
    },
  );

  it.each([
    "1. grow mint",
    "12) grow mint",
    "- grow mint",
    "• grow mint",
    "* grow mint",
    "«\u00a0grow mint\u00a0».",
    '"grow mint."',
  ])("lose their list mark and quotation marks: %j", (keyword) => {
    expect(read(keyword, "water")).toMatchObject({ value: { keywords: [{ keyword: "grow mint" }, {}] } });
  });

  it.each(["basil pot", "Basil: POT!", "herb-light", "", "x".repeat(101)])(
    "leave out %j and say how many are needed",
    (bad) => {
      const reading = read(bad, "grow mint indoors");
      expect(reading).toMatchObject({ ok: false, problem: expect.stringContaining("2 are needed") });
      expect(reading).toMatchObject({ usable: { keywords: [{ keyword: "grow mint indoors" }] } });
    },
  );

  it.each(["Pot, basil", "basil for pot", "mint indoors: grow"])("near to another are a last resort: %j", (near) => {
    const reading = read("grow mint indoors", near);
    expect(reading).toMatchObject({ ok: false, problem: expect.stringContaining("1 of its keywords were new") });
    expect(reading).toHaveProperty("usable.keywords.length", 2);
  });

  it("tell C from C++ and C#", () => {
    const languages = keywordsPrompt({ project, topic, persona, existing: ["learn C"], count: 2 });
    const keywords = ["learn C++", "learn C#"].map((keyword) => ({ keyword, intent: "informational" }));
    expect(languages.read(JSON.stringify({ keywords }))).toMatchObject({ ok: true, value: { keywords } });
  });

  it("are not usable when none is new", () => {
    expect(read("basil pot")).not.toHaveProperty("usable");
  });

  it("must have one of the four intents", () => {
    const answer = JSON.stringify({ keywords: [{ keyword: "grow mint", intent: "curious" }] });
    expect(prompt.read(answer)).toMatchObject({ ok: false, problem: expect.stringContaining("schema") });
  });
});

describe("ideas", () => {
  const prompt = ideasPrompt({
    project,
    topic,
    persona,
    keyword: "basil",
    count: 1,
    existingTitles: [],
    taken: new Set(keysOf("Basil indoors: where to begin with a window")),
  });
  const read = (title: string) =>
    prompt.read(JSON.stringify({ ideas: [{ title, angle: "A", intent: "informational" }] }));

  it.each([
    ["English", "Basil on a window sill: what it needs in winter"],
    ["German", "Basilikum auf der Fensterbank: was es im Winter braucht"],
    ["Turkish", "İstanbul'da balkonda fesleğen yetiştirmenin püf noktaları"],
    ["Chinese", "冬天在窗台上种罗勒需要注意的几件事"],
    ["Chinese with a name in Latin", "用WordPress搭建个人博客的完整步骤"],
    ["Japanese", "冬の窓辺でバジルを元気に育てるための基本"],
    ["Korean", "겨울철 창가에서 바질을 건강하게 키우는 방법"],
    ["Hebrew", "איך לגדל בזיליקום על אדן החלון בחורף"],
    ["Arabic", "كيف تزرع الريحان على حافة النافذة شتاء"],
    ["Hindi", "सर्दियों में खिड़की पर तुलसी कैसे उगाएँ"],
    ["Thai", "วิธีปลูกโหระพาบนขอบหน้าต่างในหน้าหนาว"],
    ["Burmese", "ဆောင်းရာသီမှာ ပြတင်းပေါက်ဘေး ပင်စိမ်းစိုက်နည်း"],
  ])("are accepted at the first answer if a title is as long as %s asks for", (_language, title) => {
    expect(read(title)).toEqual({ ok: true, value: { ideas: [{ title, angle: "A", intent: "informational" }] } });
  });

  it.each([
    "Basil, briefly",
    `Basil ${"and more ".repeat(10)}`,
    "窗台种罗勒",
    "冬".repeat(33),
    "Basil on a window sill all winter",
  ])("of another length are usable only as a last resort: %j", (title) => {
    expect(read(title)).toMatchObject({ ok: false, usable: { ideas: [{ title: title.trim() }] } });
  });

  it("with a title that is taken are left out, whatever its case and punctuation", () => {
    const reading = read("BASIL indoors – where to begin with a window!");
    expect(reading.ok).toBe(false);
    expect(reading).not.toHaveProperty("usable");
  });

  it.each(["Where to begin with a window: basil indoors", "Basil indoors: where to begin with the window"])(
    "near to a title that is taken are usable only as a last resort: %j",
    (title) => {
      expect(read(title)).toMatchObject({ ok: false, usable: { ideas: [{ title }] } });
    },
  );

  const title = "Don’t drown it: what basil on a sill needs in winter";

  it.each([`"${title}"`, `“${title}”`, `„${title}“`, `« ${title} »`, `「${title}」`, `‘${title}’`])(
    "lose both quotation marks: %j",
    (quoted) => {
      expect(read(quoted)).toMatchObject({ value: { ideas: [{ title }] } });
    },
  );

  it.each([
    "“Bright and warm”: what basil on a sill calls “winter”",
    'What cooks mean when they call basil "tender"',
    "“Too dry”: why basil on a sill dies in winter",
    "3d printed pots: which ones suit basil on a sill",
  ])("keep quotation marks that do not enclose them: %j", (whole) => {
    expect(read(whole)).toMatchObject({ value: { ideas: [{ title: whole }] } });
  });

  it("near to another come after the new ones, and only if those are too few", () => {
    const near = { title: "Where to begin with a window: basil indoors", angle: "A", intent: "informational" as const };
    const fresh = { ...near, title: "Basil on a window sill: what it needs in winter" };
    expect(prompt.read(JSON.stringify({ ideas: [near, fresh] }))).toEqual({ ok: true, value: { ideas: [fresh] } });
  });
});

describe("outlines", () => {
  const read = outlinePrompt(piece).read;

  it("are cut to the maximum length of an outline", () => {
    expect(read(`${sections(5)}\n${"a\n".repeat(200_000)}`)).toEqual({
      ok: true,
      value: expect.stringMatching(/^[\s\S]{99000,100000}$/),
    });
  });
  const sections = (count: number) =>
    Array.from({ length: count }, (_, index) => `## Part ${index}\n\nSay this.`).join("\n\n");

  it("are accepted with 5 to 9 H2 sections, without the text around them", () => {
    expect(read(`\`\`\`markdown\n# Title\n\nHere it is.\n\n${sections(5)}\n\`\`\``)).toEqual({
      ok: true,
      value: sections(5),
    });
    expect(read(sections(9)).ok).toBe(true);
  });

  it.each([
    ["too few sections", sections(4), true],
    ["too many sections", sections(10), true],
    ["hardly any section", sections(2), false],
    ["a heading without a brief", `${sections(4)}\n\n## Bare`, true],
    ["a generic heading", `${sections(4)}\n\n## Conclusion\n\nEnd.`, true],
    ["the same heading twice", `${sections(5)}\n\n## Part 0\n\nAgain.`, true],
    ["no headings", "Some prose.", false],
  ])("with %s are requested again", (_what, text, usable) => {
    const reading = read(text);
    expect(reading.ok).toBe(false);
    expect("usable" in reading).toBe(usable);
  });
});

describe("sections", () => {
  const earlier = "A south window gives enough light for most of the year.";
  const read = sectionPrompt({
    ...piece,
    outline: sectionsOutline(),
    heading: "Water",
    headingIndex: 1,
    headingCount: 3,
    brief: "How to tell.",
    textSoFar: `## Light\n\n${earlier}`,
    wordBudget: 20,
  }).read;

  it("are accepted at about the requested length", () => {
    expect(read("Feel the soil with a finger and water when it is dry.")).toMatchObject({ ok: true });
  });

  it("are cut to the maximum length", () => {
    const reading = read("Water. ".repeat(70_000));
    expect(reading).toMatchObject({ ok: true, value: { text: expect.stringMatching(/^[\s\S]{99000,100000}$/) } });
  });

  it("lose repeated sentences and are requested again", () => {
    const reading = read(`${earlier}\n\nFeel the soil with a finger and water when it is dry.`);
    const text = "Feel the soil with a finger and water when it is dry.";
    expect(reading).toMatchObject({ ok: false, usable: { text } });
  });

  it("far too short are requested again, then used", () => {
    expect(read("Water it.")).toMatchObject({ ok: false, usable: { text: "Water it." } });
  });

  it.each(["", "## Water", earlier])("with nothing new are not usable: %j", (text) => {
    const reading = read(text);
    expect(reading.ok).toBe(false);
    expect(reading).not.toHaveProperty("usable");
  });
});

describe("first sections", () => {
  const place = {
    outline: sectionsOutline(),
    heading: "Light",
    headingIndex: 0,
    headingCount: 3,
    brief: "",
    wordBudget: 20,
  };
  const read = (text: string, textSoFar = "") => sectionPrompt({ ...piece, ...place, textSoFar }).read(text);
  const lead = "You will know what a window gives. It takes one look at noon.";
  const text = "A south window gives enough light for most of the year.";

  it.each([
    ["a lead", `${lead}\n\n---\n\n${text}`],
    ["a lead, and their own heading after it", `${lead}\n---\n## Light\n\n${text}`],
    ["a lead, all in a fence", `Sure!\n\n\`\`\`markdown\n${lead}\n\n---\n\n${text}\n\`\`\``],
  ])("may bring %s", (_what, answer) => {
    expect(read(answer)).toEqual({ ok: true, value: { lead, text } });
  });

  it("have no lead without the line", () => {
    const whole = `${lead}\n\n${text}`;
    expect(read(whole)).toEqual({ ok: true, value: { lead: "", text: whole } });
  });

  it("keep a line in their text where the post has begun before them", () => {
    const whole = `${lead}\n\n---\n\n${text}`;
    expect(read(whole, "By hand.")).toEqual({ ok: true, value: { lead: "", text: whole } });
  });

  it("do not repeat the lead", () => {
    expect(read(`${lead}\n\n---\n\n${lead}\n\n${text}`)).toMatchObject({ ok: false, usable: { lead, text } });
  });

  it("must have their length without the lead", () => {
    expect(read(`${lead}\n\n---\n\nLight it.`)).toMatchObject({
      ok: false,
      problem: "It had 2 words instead of about 20.",
    });
  });
});

describe("rewritten parts", () => {
  const read = (selection: string, answer: string) =>
    rewritePrompt({
      ...piece,
      ...{ action: "shorter", of: "body", selection, before: "", after: "", outline: "", instruction: "" },
    }).read(answer);

  it("lose what announces or encloses them", () => {
    expect(read("Water.", "Here is the shorter version:\n\nWater.")).toEqual({ ok: true, value: "Water." });
    expect(read("Water.", "```markdown\nWater.\n```")).toEqual({ ok: true, value: "Water." });
  });

  it("keep the fence of a selected code block", () => {
    const code = "```md\n## Light\n\nText.\n```";
    expect(read(`\n${code}`, code)).toEqual({ ok: true, value: code });
  });
});

describe("stock phrases", () => {
  it("are all found, in upper case too", () => {
    for (const phrase of STOCK_PHRASES)
      expect(findStockPhrases(`So: ${phrase.toUpperCase()}, they said.`)).toContain(phrase);
  });

  it("are found with curly apostrophes, across line ends, and inflected", () => {
    expect(findStockPhrases("In today’s\nworld she delves, unlocking doors.")).toEqual([
      "in today's world",
      "delve",
      "unlock",
    ]);
  });

  it("are not found inside other words", () => {
    expect(findStockPhrases("The shovel delvery, an unlockable tapestrylike thing.")).toEqual([]);
  });

  it("are all forbidden in the section prompt", () => {
    const [system] = sectionPrompt({
      ...piece,
      outline: sectionsOutline(),
      heading: "Light",
      headingIndex: 0,
      headingCount: 3,
      brief: "",
      textSoFar: "",
      wordBudget: 100,
    }).messages;
    for (const phrase of STOCK_PHRASES) expect(system?.content).toContain(phrase);
  });
});

function sectionsOutline(): string {
  return "## Light\n\nWhat a window gives.\n\n## Water\n\nHow to tell.\n\n## Next step\n\nPot up one plant.";
}
