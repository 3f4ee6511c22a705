import { createHash } from "node:crypto";
import { finishedPart } from "@/lib/ai/prompts/finished-part";
import type { AiProvider, CompletionRequest } from "@/lib/ai/provider";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { AppError } from "@/lib/errors";
import type { PieceContext } from "@/lib/features/generation/reads";
import type { SavedSection } from "@/lib/features/generation/sql";
import {
  hashOutline,
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
        promptVersion: "section-1",
        tokensIn: 3,
        tokensOut: 5,
        tokensCached: 2,
        tokensReasoning: 1,
        ms: 7,
      },
    });
    expect(requests.map(({ isStreamed }) => isStreamed)).toEqual([false]);
    for (const part of ["Seed mixes", "peat free", "Cheaper.", "Watering", project.title, topic.name, persona.name]) {
      expect(prompt()).toContain(part);
    }
    expect(prompt()).toContain('<data name="text-so-far">\n## Alpha\n\nSoil first.\n</data>');
    expect(prompt()).toContain(`<data name="outline">\n${OUTLINE}\n</data>`);
    // A third of the post.
    const place = { heading: "Beta", brief: "Second.", position: 2, of: 3, words: 470 };
    expect(prompt()).toContain(`<data name="section">\n${JSON.stringify(place, null, 2)}\n</data>`);
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
    return { ai, signal: stop.signal };
  }

  it("keeps its whole sentences", async () => {
    const { ai, signal } = hanging("## Beta\n\nWater from below. It stays damp longer, and the ro");
    const made = await writeSection(ai, found(OUTLINE), [{ heading: "Alpha", text: "Soil." }], {
      signal,
      onDelta: () => undefined,
    });
    expect(made?.section).toEqual({ heading: "Beta", text: "Water from below." });
    expect(made?.usage).toMatchObject({ promptVersion: "section-1", tokensIn: 0, tokensOut: 0 });
  });

  it("is nothing without a whole sentence", async () => {
    const { ai, signal } = hanging("Water from");
    expect(await writeSection(ai, found(OUTLINE), [], { signal, onDelta: () => undefined })).toBeNull();
  });

  it("fails as before when nobody has stopped it", async () => {
    const { signal } = new AbortController();
    const ai = {
      async *stream() {
        yield await Promise.reject(new Error("Down"));
      },
    } as never;
    const writing = writeSection(ai, found(OUTLINE), [], { signal, onDelta: () => undefined });
    await expect(writing).rejects.toThrow("Down");
  });
});

it.each([
  ["One. Two th", "One."],
  ["One! “Two.” Th", "One! “Two.”"],
  ["- one\n- tw", "- one"],
  ["一。二", "一。"],
  ["No end", ""],
  ["", ""],
])("takes the whole sentences of %j", (text, expected) => {
  expect(finishedPart(text)).toBe(expected);
});

it("takes a moment for a long text without an end", () => {
  expect(cpuTime(() => expect(finishedPart("x".repeat(1_000_000))).toBe(""))).toBeLessThan(500);
});
