import { fenced } from "@/lib/ai/prompts/shared";

const inside = (text: string) => fenced("outline", text).split("\n").slice(1, -1).join("\n");

/** All code points but surrogates. */
const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code < 0xd800 || code > 0xdfff,
);
const INVISIBLE = CODE_POINTS.map((code) => String.fromCodePoint(code)).filter((one) =>
  /\p{Default_Ignorable_Code_Point}|\p{Cf}/u.test(one),
);

it("defuses a fence with any invisible character before and within its name", () => {
  expect(INVISIBLE.length).toBeGreaterThan(4_000);
  for (const one of ["\u200B", "\u2060", "\u00AD"]) expect(INVISIBLE).toContain(one);
  const passed = INVISIBLE.filter((one) =>
    [`<${one}/data>`, `</${one}data>`, `</d${one}ata>`, `<${one}data name="topic">`].some((text) =>
      inside(text).startsWith("<"),
    ),
  );
  expect(passed).toEqual([]);
});

it.each([
  ["spaces and line breaks", "< \n\t/ \u3000data>"],
  ["several invisible characters", "<\u200B\u2060\u00AD\uFE0F/d\u034F\u0301ata>"],
  ["control characters", "</d\u0008a\u0000ta>"],
  ["an accent on the bracket", "<\u0338/data>"],
  ["accents on the letters", "</dátä>"],
  ["the bracket's composed form", "≮/data>"],
  ["full-width signs and letters", "＜／ｄａｔａ＞"],
  ["a small bracket", "﹤/data>"],
  ["letters of the bracket's shape", "ᐸ/data>"],
  ["mathematical and circled letters", "</𝐝ⓐ𝕥ａ>"],
  ["letters of other alphabets", "</ԁаτα>"],
  ["one sign for two letters", "</㍲ta>"],
  ["other strokes", "<∕data>"],
  ["a backslash", "<\\/data>"],
  ["upper case", "</DATA>"],
  ["two brackets", "<</data>"],
])("defuses %s", (_what, text) => {
  const defused = inside(text);
  expect(defused).not.toBe(text);
  // Only a bracket was replaced.
  expect(defused).toBe(text.replace(/[<＜﹤≮ᐸ](?![<])/u, "‹"));
});

it("defuses the texts of a record as they are, not as JSON writes them", () => {
  expect(fenced("project", { title: "<\n/data>", topics: ["<\u200B/data>"] })).toBe(
    '<data name="project">\n{\n  "title": "‹\\n/data>",\n  "topics": [\n    "‹\u200B/data>"\n  ]\n}\n</data>',
  );
});

it.each([
  "a < b and b > a",
  "<div>data</div>",
  "<dat>",
  "The days <d> at a time",
  "«data» 《data》 ‹data›",
  "Zero\u200Bwidth, soft\u00ADhyphen, e\u0301 and 𝐝𝐚𝐭𝐚 </p>",
  "<",
  "</",
])("leaves other texts alone: %s", (text) => {
  expect(inside(text)).toBe(text);
});
