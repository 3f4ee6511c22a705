import { emptyAnswer, finishAnswer, readAnswer, takeChunk } from "@/lib/ai/answer";

type Completion = Parameters<typeof readAnswer>[0];
const said = (content: unknown, more: object = {}) =>
  finishAnswer(
    readAnswer({ choices: [{ message: { content }, finish_reason: "stop" }], ...more } as unknown as Completion),
    {},
  );

const INTEGER_MAX = 2_147_483_647;

describe("what a provider sent, as it is stored", () => {
  it("has long runs of marks cut, never refused", () => {
    expect(said(`A title${"\u0316".repeat(5_000)}.`).text).toBe(`A title${"\u0316".repeat(30)}.`);
  });

  it("has the length of a piece at most", () => {
    expect(said("x".repeat(3_000_000)).text).toHaveLength(500_000);
  });

  it.each([["gpt\0-5"], [`gpt-5${"\uD800"}`], ["x".repeat(100_000)], [7], [{}], [null], [`g${"\u0316".repeat(900)}`]])(
    "names a model that can be stored, whatever it says: %#",
    (model) => {
      const chunked = emptyAnswer();
      takeChunk({ model, choices: [{ delta: { content: "x" } }] } as never, chunked);
      for (const name of [said("x", { model }).model, chunked.model]) {
        if (typeof model === "string") expect(name).toMatch(/^[gx]/);
        expect(name ?? "").not.toMatch(/\0|\p{Cs}|\p{M}{31}/u);
        expect((name ?? "").length).toBeLessThanOrEqual(200);
      }
    },
  );

  it.each([1e30, -5, 1.5, "12", Number.NaN, Number.POSITIVE_INFINITY, null, {}, 2 ** 31])(
    "counts tokens that can be added up and stored: %p",
    (count) => {
      const { tokensIn, tokensOut } = said("x", { usage: { prompt_tokens: count, completion_tokens: count } });
      for (const tokens of [tokensIn, tokensOut]) {
        expect(Number.isInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(0);
        // Both asks of each of a hundred sections.
        expect(tokens * 200).toBeLessThanOrEqual(INTEGER_MAX);
      }
    },
  );
});
