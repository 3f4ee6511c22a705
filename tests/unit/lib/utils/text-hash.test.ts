import { textHash } from "@/lib/utils/text-hash";

describe("textHash", () => {
  // The author's own examples: https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js.
  it.each([
    ["a", 7929297801672961],
    ["b", 8684336938537663],
    ["revenge", 4051478007546757],
    ["revenue", 8309097637345594],
  ])("is cyrb53, with the length: %s", (text, hash) => {
    expect(textHash(text)).toBe(`${text.length}.${hash.toString(36)}`);
  });

  it("differs at each place of a long text", () => {
    const text = "Grüße, 雨庭 🌧. ".repeat(1_000);
    const hashes = Array.from({ length: 200 }, (_, at) => {
      const place = at * 60;
      return textHash(`${text.slice(0, place)}x${text.slice(place + 1)}`);
    });
    expect(new Set(hashes).size).toBe(200);
  });
});
