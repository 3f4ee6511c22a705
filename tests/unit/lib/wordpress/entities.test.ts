import { decodeEntities, plainSentence } from "@/lib/utils/plain-text";
import { encodeEntities, encodeTitle } from "@/lib/wordpress/entities";

describe("character references", () => {
  it.each([
    ["R&amp;D &LT;b&gt; &hellip;", "R&D <b> …"],
    ["&#38; &#x26; &#X26; &#1;", "& & & \u0001"],
    ["&#x10ffff;", "\u{10ffff}"],
  ])("in %p are decoded", (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });

  it.each(["&unknown;", "&#0;", "&#x110000;", "&#9999999;", "AT&T; &"])(
    "that do not exist stay as they are: %p",
    (text) => {
      expect(decodeEntities(text)).toBe(text);
    },
  );

  it("are written for the characters that WordPress stores encoded", () => {
    expect(encodeEntities(`R&D <"it's">`)).toBe("R&amp;D &lt;&quot;it's&quot;&gt;");
  });
});

it.each([
  ["How the <head> element works", "How the &lt;head&gt; element works"],
  ["If x < 5 && y > 2", "If x &lt; 5 && y &gt; 2"],
  ["AT&T; R&D, &amp; and &#60;", "AT&amp;T; R&D, &amp;amp; and &amp;#60;"],
  ["Tom & Jerry’s “best”", "Tom & Jerry’s “best”"],
])("encodes the title %j so that readers see these words", (title, encoded) => {
  expect(encodeTitle(title)).toBe(encoded);
});

describe("the sentence of a site", () => {
  it("is its HTML as one line of plain text", () => {
    expect(plainSentence("<p>Sorry,\n\n <b>Tom &amp; Jerry</b>\u0000</p>")).toBe("Sorry, Tom & Jerry");
  });

  it("has at most 300 characters", () => {
    expect(plainSentence("x".repeat(300))).toBe("x".repeat(300));
    expect(plainSentence("x".repeat(301))).toBe(`${"x".repeat(299)}…`);
  });

  it("comes from the first 5,000 characters", () => {
    expect(plainSentence(`${" ".repeat(4_999)}xy`)).toBe("x");
  });
});
