import { addChunk, addWhole, emptyAnswer, endAnswer, finishAnswer } from "@/lib/ai/answer";

function answerOf(content: unknown, more: object = {}) {
  const answer = emptyAnswer();
  addWhole({ choices: [{ message: { content }, finish_reason: "stop" }], ...more }, answer);
  endAnswer(answer);
  return finishAnswer(answer, {});
}

const INTEGER_MAX = 2_147_483_647;

describe("a provider's answer, as stored", () => {
  it("has long runs of combining marks cut, not refused", () => {
    expect(answerOf(`A title${"\u0316".repeat(5_000)}.`).text).toBe(`A title${"\u0316".repeat(30)}.`);
  });

  it("is cut to the length of a piece", () => {
    expect(answerOf("x".repeat(3_000_000)).text).toHaveLength(500_000);
  });

  it.each([["gpt\0-5"], [`gpt-5${"\uD800"}`], ["x".repeat(100_000)], [7], [{}], [null], [`g${"\u0316".repeat(900)}`]])(
    "has a model name that can be stored, whatever the provider sends: %#",
    (model) => {
      const chunked = emptyAnswer();
      addChunk({ model, choices: [{ delta: { content: "x" } }] }, chunked);
      for (const name of [answerOf("x", { model }).model, chunked.model]) {
        if (typeof model === "string") expect(name).toMatch(/^[gx]/);
        expect(name ?? "").not.toMatch(/\0|\p{Cs}|\p{M}{31}/u);
        expect((name ?? "").length).toBeLessThanOrEqual(200);
      }
    },
  );

  it.each([1e30, -5, 1.5, "12", Number.NaN, Number.POSITIVE_INFINITY, null, {}, 2 ** 31])(
    "has token counts that can be added up and stored: %p",
    (count) => {
      const { tokensIn, tokensOut } = answerOf("x", { usage: { prompt_tokens: count, completion_tokens: count } });
      for (const tokens of [tokensIn, tokensOut]) {
        expect(Number.isInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(0);
        // A piece adds up 200 calls at most: two for each of a hundred sections.
        expect(tokens * 200).toBeLessThanOrEqual(INTEGER_MAX);
      }
    },
  );
});
