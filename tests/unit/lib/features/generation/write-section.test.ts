import { createHash } from "node:crypto";
import { withContinuation } from "@/lib/ai/prompts/continuation";
import { finishedPart } from "@/lib/ai/prompts/finished-part";
import type { AiProvider, CompletionRequest } from "@/lib/ai/provider";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { AppError } from "@/lib/errors";
import type { PieceContext } from "@/lib/features/generation/reads";
import { hashOutline, type SavedSection } from "@/lib/features/generation/sql";
import {
  nextPosition,
  plannedSections,
  totalUsage,
  writeSection,
} from "@/lib/features/generation/writes/write-section";
import { cpuTime } from "@/tests/support/cpu-time";
import { persona, project, topic } from "@/tests/unit/lib/ai/inputs";

const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.\n\n## Gamma\nThird.";

const reader = { ...persona, id: 1, projectId: 3, createdAt: new Date() };

const NO_STYLE = { tone: null, language: null, words: null, instructions: null };

/** A piece with this outline and everything a section is written from. */
function found(outline: string | null): PieceContext {
  const about = { title: "Seed mixes", focusKeyword: "peat free", intent: "commercial", angle: "Cheaper." };
  return {
    piece: { ...about, id: "p", topicId: 7, outline, textVersion: 1, hasBody: false, hasOutline: outline !== null },
    input: {
      project: { ...project, style: NO_STYLE },
      topic,
      persona: reader,
      ...about,
      neighbourTitles: ["Watering"],
    },
  };
}

/** A provider that answers with these texts and records its requests. */
function provider(...texts: string[]) {
  const requests: (CompletionRequest & { isStreamed: boolean })[] = [];
  const answer = (request: CompletionRequest, isStreamed: boolean) => {
    requests.push({ ...request, isStreamed });
    return {
      text: texts.shift() ?? "",
      model: "tiny",
      tokensIn: 3,
      tokensOut: 5,
      tokensCached: 2,
      tokensReasoning: 1,
      ms: 7,
      cutShort: false,
    };
  };
  const fake = {
    complete: async (request: CompletionRequest) => answer(request, false),
    async *stream(request: CompletionRequest) {
      const completion = answer(request, true);
      yield completion.text;
      return completion;
    },
  };
  return { requests, ai: fake as unknown as AiProvider, prompt: () => String(requests[0]?.messages.at(-1)?.content) };
}

const LONG = Array.from({ length: 500 }, (_, n) => `word${n}`).join(" ");

describe("the outline of a section", () => {
  it("is identified by its hash, even without a text", () => {
    const sha = (text: string) => createHash("sha256").update(text).digest("hex");
    expect([hashOutline(OUTLINE), hashOutline(null)]).toEqual([sha(OUTLINE), sha("")]);
  });

  it.each(["", " \n", "```\n```"])("must contain something to write: %j", (outline) => {
    expect(() => plannedSections(outline)).toThrow(new AppError("OUTLINE_REQUIRED"));
  });

  it("has a hundred sections at most", () => {
    expect(plannedSections("## a\n".repeat(100))).toHaveLength(100);
    expect(() => plannedSections("## a\n".repeat(101))).toThrow("This outline has 101 sections");
  });

  it.each([
    [[], 0],
    [[0], 1],
    [[1, 2], 0],
    [[0, 2], 1],
    [[2, 0, 1], 3],
  ])("continues after the sections %j at %d", (positions, next) => {
    expect(nextPosition(positions.map((position) => ({ position })))).toBe(next);
  });
});

describe("a section", () => {
  it("is requested with all context and the text so far", async () => {
    const { ai, requests, prompt } = provider(LONG);
    expect(await writeSection(ai, found(OUTLINE), [{ heading: "Alpha", text: "Soil first." }])).toEqual({
      section: { heading: "Beta", text: LONG },
      usage: {
        model: "tiny",
        promptVersion: "section-2",
        tokensIn: 3,
        tokensOut: 5,
        tokensCached: 2,
        tokensReasoning: 1,
        ms: 7,
      },
    });
    expect(requests.map(({ isStreamed }) => isStreamed)).toEqual([true]);
    for (const part of ["Seed mixes", "peat free", "Cheaper.", "Watering", project.title, topic.name, persona.name]) {
      expect(prompt()).toContain(part);
    }
    expect(prompt()).toContain('<data name="text-so-far">\n## Alpha\n\nSoil first.\n</data>');
    expect(prompt()).toContain(`<data name="outline">\n${OUTLINE}\n</data>`);
    // A third of the post.
    const place = { heading: "Beta", brief: "Second.", position: 2, of: 3, words: 470 };
    expect(prompt()).toContain(`<data name="section">\n${JSON.stringify(place, null, 2)}\n</data>`);
  });

  it("that is the first one is saved with its lead, which the next one reads before the first heading", async () => {
    const first = provider(`A lead.\n\n---\n\n${LONG}`);
    const made = await writeSection(first.ai, found(OUTLINE), []);
    expect(first.requests).toHaveLength(1);
    const next = provider(LONG.replaceAll("word", "other"));
    await writeSection(next.ai, found(OUTLINE), made ? [made.section] : []);
    expect(next.prompt()).toContain(`<data name="text-so-far">\nA lead.\n\n## Alpha\n\n${LONG}\n</data>`);
  });

  it("reports its start, a restart and its words to a listener", async () => {
    const { ai, requests } = provider("Too short.", LONG);
    const sections: unknown[] = [];
    const words: string[] = [];
    await writeSection(ai, found(OUTLINE), [], {
      onSection: (section) => sections.push(section),
      onDelta: (delta) => words.push(delta),
    });
    const begun = { index: 0, count: 3, heading: "Alpha" };
    expect(sections).toEqual([
      { ...begun, restart: false },
      { ...begun, restart: true },
    ]);
    expect(words).toEqual(["Too short.", LONG]);
    expect(requests.map(({ isStreamed }) => isStreamed)).toEqual([true, true]);
  });

  it.each([
    ["without an outline", null, 0],
    ["beyond the last one", OUTLINE, 3],
  ])("is not requested %s", async (_what, outline, count) => {
    const { ai, requests } = provider(LONG);
    const written = Array.from({ length: count }, () => ({ heading: "", text: "Soil." }));
    await expect(writeSection(ai, found(outline), written)).rejects.toMatchObject({ type: "OUTLINE_REQUIRED" });
    expect(requests).toEqual([]);
  });
});

it("adds up the usage of all sections, and names the model and prompt of the last", () => {
  const kept = (model: string, promptVersion: string, tokensIn: number): SavedSection => ({
    ...{ position: 0, outlineHash: "", heading: "", text: "" },
    ...{
      model,
      promptVersion,
      tokensIn,
      tokensOut: 10 * tokensIn,
      tokensCached: tokensIn,
      tokensReasoning: 2 * tokensIn,
      ms: 100 * tokensIn,
    },
  });
  expect(totalUsage([kept("old", "section-0", 1), kept("new", "section-1", 2)])).toEqual({
    ...{ model: "new", promptVersion: "section-1" },
    ...{ tokensIn: 3, tokensOut: 30, tokensCached: 3, tokensReasoning: 6, ms: 300 },
  });
  expect(totalUsage([])).toEqual({ model: "", promptVersion: "", ...NO_TOKENS, ms: 0 });
});

it("has its share of the words that the project's posts have", async () => {
  const { ai, prompt } = provider("Short. ".repeat(400));
  const context = found(OUTLINE);
  Object.assign(context.input.project.style, { words: 3_000 });
  await writeSection(ai, { ...context, input: structuredClone(context.input) }, []);
  expect(prompt()).toContain('"words": 1000');
});

describe("a section that is stopped", () => {
  /** A provider that sends these words and then waits until it is aborted. */
  function hanging(words: string) {
    const stop = new AbortController();
    const ai = {
      async *stream({ signal }: { signal?: AbortSignal }) {
        yield words;
        stop.abort();
        signal?.throwIfAborted();
      },
    } as never;
    return { ai, stop: stop.signal };
  }

  it("keeps its whole sentences", async () => {
    const { ai, stop } = hanging("## Beta\n\nWater from below. It stays damp longer, and the ro");
    const made = await writeSection(ai, found(OUTLINE), [{ heading: "Alpha", text: "Soil." }], {
      stop,
      onDelta: () => undefined,
    });
    expect(made?.section).toEqual({ heading: "Beta", text: "Water from below." });
    expect(made?.usage).toMatchObject({ promptVersion: "section-2", tokensIn: 0, tokensOut: 0 });
  });

  it("keeps the lead before it", async () => {
    const { ai, stop } = hanging("A lead.\n\n---\n\nSoil first. Then the ro");
    const made = await writeSection(ai, found(OUTLINE), [], { stop, onDelta: () => undefined });
    expect(made?.section).toEqual({ heading: "", text: "A lead.\n\n## Alpha\n\nSoil first." });
  });

  it("is nothing without a whole sentence", async () => {
    const { ai, stop } = hanging("Water from");
    expect(await writeSection(ai, found(OUTLINE), [], { stop, onDelta: () => undefined })).toBeNull();
  });

  it("fails as before when nobody has stopped it", async () => {
    const { signal: stop } = new AbortController();
    const ai = {
      async *stream() {
        yield await Promise.reject(new Error("Down"));
      },
    } as never;
    const writing = writeSection(ai, found(OUTLINE), [], { stop, onDelta: () => undefined });
    await expect(writing).rejects.toThrow("Down");
  });
});

describe("a section in which the provider breaks off", () => {
  const LIGHT = "By a window. It needs six hours of it a day, and turning.";

  /** A provider that sends these words and then breaks off. */
  const breaking = (words: string, error = new AppError("AI_PROVIDER_ERROR")) =>
    ({
      async *stream() {
        yield words;
        throw error;
      },
    }) as never;

  it.each([
    ["its whole sentences", "By a window. It ne", "By a window. "],
    ["the line break behind them", "- By a window.\n- It ne", "- By a window.\n"],
    ["the end of a paragraph", "By a window.\n\nIt ne", "By a window.\n\n"],
  ])("hands on %s, and fails", async (_what, words, text) => {
    const kept = jest.fn();
    const writing = writeSection(breaking(words), found(OUTLINE), [], { onBroken: kept });
    await expect(writing).rejects.toMatchObject({ type: "AI_PROVIDER_ERROR" });
    expect(kept.mock.calls).toEqual([[{ heading: "Alpha", text }, expect.objectContaining({ tokensOut: 0 })]]);
  });

  it.each([
    ["nothing whole was written", "By a win", undefined],
    ["the provider declined to go on", "By a window. It ne", new AppError("AI_DECLINED")],
  ])("hands on nothing when %s", async (_what, words, error) => {
    const kept = jest.fn();
    await expect(writeSection(breaking(words, error), found(OUTLINE), [], { onBroken: kept })).rejects.toThrow();
    expect(kept).not.toHaveBeenCalled();
  });

  it("is gone on from: the prompt has what is begun, and the section is both", async () => {
    const { ai, prompt } = provider(`It needs six hours. ${LONG}`);
    const begun = "A lead.\n\n---\n\nBy a window. ";
    const words: string[] = [];
    const made = await writeSection(ai, found(OUTLINE), [], { begun, onDelta: (delta) => words.push(delta) });
    expect(prompt()).toContain(`<data name="section-begun">\n${begun.trimEnd()}\n</data>`);
    expect(made?.section.text).toBe(`A lead.\n\n## Alpha\n\nBy a window. It needs six hours. ${LONG}`);
    expect(words[0]).toBe(begun);
  });

  it("hands on both when it breaks off again, but not what it had when nothing came", async () => {
    const kept = jest.fn();
    const again = (words: string) =>
      writeSection(breaking(words), found(OUTLINE), [], { begun: "By a window. ", onBroken: kept });
    await expect(again("")).rejects.toThrow();
    expect(kept).not.toHaveBeenCalled();
    await expect(again("It needs six hours. And tu")).rejects.toThrow();
    expect(kept).toHaveBeenCalledWith(
      { heading: "Alpha", text: "By a window. It needs six hours. " },
      expect.anything(),
    );
  });

  it.each([
    ["started over", "By a window. It needs six hours", LIGHT, LIGHT],
    [
      "repeated many last words",
      "A window where the light is good.",
      "where the light is good. Turn it.",
      "A window where the light is good. Turn it.",
    ],
    ["went on in the paragraph", "By a window.", "Turn it.", "By a window. Turn it."],
    ["began a list", "By a window.", "- Turn it.", "By a window.\n\n- Turn it."],
    ["went on in a list", "- By a window.\n", "- Turn it.", "- By a window.\n- Turn it."],
    ["wrapped it", "By a window.", "```markdown\nTurn it.\n\nOften.\n```", "By a window. Turn it.\n\nOften."],
  ])("is joined where the model %s", (_what, begun, answer, whole) => {
    expect(withContinuation(begun, answer)).toBe(whole);
  });
});

it.each([
  ["One. Two th", "One."],
  ["One! “Two.” Th", "One! “Two.”"],
  ["- one\n- tw", "- one"],
  ["一。二", "一。"],
  ["「一。」二", "「一。」"],
  ["本当？は", "本当？"],
  ["はい！そ", "はい！"],
  ["जड़ें सड़ती हैं। पानी क", "जड़ें सड़ती हैं।"],
  ["शान्तिः॥ अथ", "शान्तिः॥"],
  ["پانی دیں۔ پھر", "پانی دیں۔"],
  ["هل تحتاج ماء؟ ثم", "هل تحتاج ماء؟"],
  ["צריך מים. אחר", "צריך מים."],
  ["ရေလောင်းပါ။ ပြီး", "ရေလောင်းပါ။"],
  ["ស្រោចទឹក។បន្ទ", "ស្រោចទឹក។"],
  ["ជ្រើសរើសដី ស្រោចទឹ", "ជ្រើសរើសដី"],
  ["རྩ་བ། ཆུ", "རྩ་བ།"],
  ["ውሃ ስጥ። ከዚያ", "ውሃ ስጥ።"],
  ["Ջուր տուր։ Հետո", "Ջուր տուր։"],
  ["เลือกกระถาง รดน้ำทุกเช้า แล้วว", "เลือกกระถาง รดน้ำทุกเช้า"],
  ["ใช้ดินร่วน ปลูกใน WordPress แล้", "ใช้ดินร่วน"],
  ["ເລືອກດິນ ຫົດນ້ຳ", "ເລືອກດິນ"],
  ["물을 주세요. 그리", "물을 주세요."],
  ["İyi süzülen toprak seçin. Sonra", "İyi süzülen toprak seçin."],
  ["Water it. Ask Dr. Lee", "Water it."],
  ["Water it. Take a pot, e.g. Terracotta", "Water it."],
  ["Gießen. Am 3. Mai", "Gießen."],
  ["Gießen. Nimm Kräuter, z. B. Minze", "Gießen."],
  ["Gießen. Das gilt bzw. Galt", "Gießen."],
  ["Water it. Pots, trays etc. are", "Water it."],
  ["Water it. Use version 3.5 or", "Water it."],
  ["Water it. See example.com for", "Water it."],
  ["Water it in 2024. Then", "Water it in 2024."],
  ["My sister and I. Then", "My sister and I."],
  ["Water it.\n\n1. Wa", "Water it."],
  ["No end", ""],
  ["", ""],
])("takes the whole sentences of %j", (text, expected) => {
  expect(finishedPart(text)).toBe(expected);
});

it("takes a moment for a long text without an end", () => {
  expect(cpuTime(() => expect(finishedPart("x".repeat(1_000_000))).toBe(""))).toBeLessThan(500);
});
