import fc from "fast-check";
import { hasLongRun, nfc, withoutLongRuns } from "@/lib/utils/normal-form";
import { normalizeText, storable, storableUpTo } from "@/lib/utils/text";
import { cpuTime } from "@/tests/support/cpu-time";

/** Every code point but surrogates. */
function* codePoints(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

const isMark = (character: string) => /^\p{M}$/u.test(character);

/** Below the first (class 230) and above the second (class 220) no non-starter keeps its place. */
function isNonStarter(character: string): boolean {
  const [above, below] = ["\u0301", "\u0316"];
  return (
    (above + character).normalize("NFD") !== above + character.normalize("NFD") ||
    (character + below).normalize("NFD") !== character.normalize("NFD") + below
  );
}

describe("what this Unicode version says", () => {
  it("every character that normalising moves is a mark", () => {
    const others = [...codePoints()].filter((one) => !isMark(one) && one.normalize("NFD") === one && isNonStarter(one));
    expect(others).toEqual([]);
  });

  it("every character that joins the one before it is a mark, a Hangul vowel or final, or Kirat Rai's", () => {
    const joins = new Set(
      [...codePoints()].flatMap((one) => {
        const parts = [...one.normalize("NFD")];
        return parts.length > 1 && one.normalize("NFC") === one ? [parts.at(-1) ?? ""] : [];
      }),
    );
    expect(joins.size).toBeGreaterThan(60);
    expect([...joins].filter((one) => !isMark(one) && !/[\u1160-\u11FF\u{16D67}]/u.test(one))).toEqual([]);
  });
});

/** Pieces that join, move, decompose and compose, in every order. */
const pieces = fc.constantFrom(
  ...["a", "e", " ", "\n", "é", "Å", "\u212B", "\u1E9B\u0323", "q\u0307\u0323", "\u0344", "\u0F73", "\u0958"],
  ...["\u0300", "\u0316", "\u0323", "\u0345", "\u3099", "\u05B0", "\u0E31", "\u0E49", "\u0BBE", "\u09C7", "\u09BE"],
  ...[
    "한글",
    "한글".normalize("NFD"),
    "\u1100",
    "\u1161",
    "\u11A8",
    "각",
    "가",
    "か",
    "カ",
    "园艺",
    "🌱",
    "👩‍👩‍👧‍👦",
    "\uFF9E",
  ],
  ...["\u{16D67}", "\u{16D63}", "\u{1109A}", "\u{110BA}", "\u{1D15E}", "\u{11131}\u{11127}", "ﬁ", "\u2126", "\u1E0A"],
);

const texts = fc.array(pieces, { maxLength: 80 }).map((parts) => parts.join(""));
/** Longer than a chunk, so that cuts fall everywhere. */
const longTexts = fc.tuple(texts, fc.integer({ min: 0, max: 40 })).map(([part, shift]) => {
  const unit = part || "각".normalize("NFD");
  return "x".repeat(shift) + unit.repeat(Math.ceil(40_000 / unit.length));
});

describe("normalising chunk by chunk", () => {
  it("gives the same as normalising the whole", () => {
    fc.assert(
      fc.property(fc.oneof(texts, longTexts, fc.string({ unit: "binary", maxLength: 200 })), (value) => {
        fc.pre(!hasLongRun(value));
        expect(nfc(value)).toBe(value.normalize("NFC"));
        const read = normalizeText(value, Number.POSITIVE_INFINITY);
        if ("text" in read) expect(read.text).toBe(value.normalize("NFC"));
        else expect([read.unfit, value.includes("\0") || /\p{Cs}/u.test(value)]).toEqual(["characters", true]);
      }),
      { numRuns: 400 },
    );
  });

  it("leaves a text with too long a run as it is", () => {
    const value = `e\u0301 a${"\u0300\u0316".repeat(20)}`;
    expect(nfc(value)).toBe(value);
  });

  it("stops when it has enough", () => {
    expect(normalizeText("é".repeat(200_000), 100)).toEqual({ text: expect.stringMatching(/^é{101,20000}$/) });
  });
});

describe("a run of marks", () => {
  it.each([
    ["Hindi", "क्षत्रिय निर्माण"],
    ["Thai", "ที่อยู่ น้ำผึ้ง"],
    ["Burmese", "ကြွေးကြော်ခြင်း"],
    ["Tibetan", "བསྒྲུབས་སོ། ཧཱུྃ"],
    ["Hebrew with points", "בְּרֵאשִׁ֖ית בָּרָ֣א"],
    ["Arabic with signs", "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ"],
    ["Vietnamese, decomposed", "Nguyễn Thị Tường Vi".normalize("NFD")],
    ["Hangul, decomposed", "각".repeat(5_000).normalize("NFD")],
  ])("is short in %s", (_language, value) => {
    expect(hasLongRun(value)).toBe(false);
    expect(normalizeText(value, 100_000)).toEqual({ text: value.normalize("NFC") });
    expect(withoutLongRuns(value)).toBe(value);
  });

  it("is cut to 30 in outside text, counting marks beyond the BMP as one", () => {
    expect(storable(`x${"\u0316".repeat(31)}y`)).toBe(`x${"\u0316".repeat(30)}y`);
    expect(storable(`x${"\u{1D167}".repeat(40)}y`)).toBe(`x${"\u{1D167}".repeat(30)}y`);
    expect(storable(`x${"\u0316\0".repeat(40)}y`)).toBe(`x${"\u0316".repeat(30)}y`);
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.constant("\u0300\u0316".repeat(20)), fc.constant("\0"))), (parts) => {
        const kept = storable(parts.join(""));
        expect(normalizeText(kept, Number.POSITIVE_INFINITY)).toEqual({ text: kept });
      }),
    );
  });

  it("is processed quickly, however long", () => {
    const hostile = [
      `a${"\u0300\u0316".repeat(1_000_000)}`,
      `a${"\u0300\u0316".repeat(15)}`.repeat(64_000),
      `\u1161${"\u0300\u0316".repeat(15)}`.repeat(64_000),
      "\u1161".repeat(2_000_000),
      "\u0E01\u0E31".repeat(1_000_000),
    ];
    for (const value of hostile) {
      for (const work of [() => storable(value), () => normalizeText(value, 500_000), () => nfc(value)])
        expect(cpuTime(work)).toBeLessThan(1_500);
    }
  });
});

it("cuts outside text without splitting a character", () => {
  expect(storableUpTo("x".repeat(50), 10)).toBe("x".repeat(10));
  expect(storableUpTo(`${"x".repeat(9)}🌱`, 10)).toBe("x".repeat(9));
  expect(storableUpTo("각".repeat(10).normalize("NFD"), 10)).toBe("각".repeat(10));
});
