import { keyHint, normalizeSiteUrl } from "@/lib/features/account/settings/rules";
import {
  BODY_MAX,
  excerptOf,
  MAX_PIECES,
  OUTLINE_MAX,
  outlineFigures,
  readingMinutes,
  SEARCH_MAX,
  slugOf,
  snippet,
  TITLE_MAX,
  titleDensity,
  wpPlaceOf,
} from "@/lib/features/content/rules";
import { isOnSite, isPublishable, permalinkSlug } from "@/lib/features/publishing/rules";

describe("SEO figures", () => {
  it("counts the title's occurrences per word, with two decimals", () => {
    expect(titleDensity("basil", "Basil and basil, no Thyme")).toBe("40.00");
    expect(titleDensity("aa", "aaaa")).toBe("200.00");
    expect(titleDensity("", "text")).toBe("0.00");
    expect(titleDensity("text", "  ")).toBe("0.00");
  });

  it("cuts the snippet after 160 code points of the body as stored", () => {
    expect(snippet("🌱".repeat(200))).toBe("🌱".repeat(160));
    expect(snippet("## Short")).toBe("## Short");
  });

  it("changes only letter case and spaces for the slug", () => {
    expect(slugOf("Grow  Basil: A Guide")).toBe("grow-basil:-a-guide");
  });
});

it("keeps the documented limits of pieces", () => {
  const bounds = { TITLE_MAX, BODY_MAX, OUTLINE_MAX, SEARCH_MAX, MAX_PIECES };
  expect(bounds).toEqual({
    TITLE_MAX: 300,
    BODY_MAX: 500_000,
    OUTLINE_MAX: 100_000,
    SEARCH_MAX: 300,
    MAX_PIECES: 10_000,
  });
});

it.each([
  ["the body", "A body", "## One", { of: "body", text: "A body" }],
  ["the outline when the body is blank", " \n", "## One", { of: "outline", text: "## One" }],
  ["nothing when both are blank", "", " ", null],
  ["nothing without either", "", null, null],
])("shows %s as the excerpt of a revision", (_what, body, outline, excerpt) => {
  expect(excerptOf(body, outline)).toEqual(excerpt);
});

describe("the figures under a text", () => {
  const words = (count: number) => Array(count).fill("word").join(" \n");

  it("assume 238 words a minute, and round up", () => {
    expect(readingMinutes(" \n ")).toBe(0);
    expect(readingMinutes("one")).toBe(1);
    expect(readingMinutes(words(238))).toBe(1);
    expect(readingMinutes(words(239))).toBe(2);
    expect(readingMinutes(words(1284))).toBe(6);
  });

  it("assume 400 characters a minute for text without spaces, in addition to the words around it", () => {
    expect(readingMinutes("鎌は研げる。".repeat(66).concat("鎌は研げ"))).toBe(1);
    expect(readingMinutes("鎌は研げる。".repeat(66).concat("鎌は研げる"))).toBe(2);
    expect(readingMinutes(`${words(119)} ${"カマ".repeat(100)}`)).toBe(1);
    expect(readingMinutes(`${words(120)} ${"カマ".repeat(100)}`)).toBe(2);
    // Korean has spaces.
    expect(readingMinutes("낫은 갈면 ".repeat(119))).toBe(1);
  });

  it("count the sections of an outline and the points listed in them", () => {
    expect(outlineFigures("")).toEqual({ sections: 0, points: 0 });
    const outline = "# Title\n- intent\n\n## One\n* a\n  + b\nplain - text\n## Two\n1. c\n10) d\n-no\n- \n### Three";
    expect(outlineFigures(outline)).toEqual({ sections: 2, points: 5 });
  });
});

describe("statuses", () => {
  it("allow publishing a piece that has a body and is not only a title", () => {
    expect(isPublishable({ hasBody: true, isTitleOnly: false })).toBe(true);
    expect(isPublishable({ hasBody: false, isTitleOnly: false })).toBe(false);
    expect(isPublishable({ hasBody: true, isTitleOnly: true })).toBe(false);
  });

  it("find a piece on its own site only", () => {
    expect(isOnSite({ wpSite: "https://a/wp-json/", wpPostId: "1" }, "https://b/wp-json/")).toBe(false);
    expect(isOnSite({ wpSite: "https://a/wp-json/", wpPostId: null }, "https://a/wp-json/")).toBe(false);
    expect(isOnSite({ wpSite: null, wpPostId: "1" }, "https://a/wp-json/")).toBe(false);
  });

  it.each([
    ["the same root", "https://a/wp-json/", true],
    ["http", "http://a/wp-json/", true],
    ["plain permalinks", "https://a/index.php?rest_route=/", true],
    ["plain permalinks as guessed", "https://a/?rest_route=/", true],
    ["a folder of it", "https://a/blog/wp-json/", false],
    ["another port", "https://a:8443/wp-json/", false],
    ["another host", "https://www.a/wp-json/", false],
  ])("compare a site's address however it is written: %s", (_what, root, isSame) => {
    expect(isOnSite({ wpSite: "https://a/wp-json/", wpPostId: "1" }, root)).toBe(isSame);
  });

  it.each([
    ["never published", null, "https://a", "https://a/wp-json/", "none"],
    ["the site found at the address", "https://a/wp-json/", "https://b", "https://a/wp-json/", "here"],
    ["another site found there", "https://a/wp-json/", "https://a", "https://b/wp-json/", "elsewhere"],
    ["site not looked up, the same address", "https://a/wp-json/", "http://a/wp-admin", null, "here"],
    ["site not looked up, another address", "https://a/wp-json/", "https://b", null, "unknown"],
    ["no site at all", "https://a/wp-json/", null, null, "unknown"],
  ])("locate a piece: %s", (_what, wpSite, wordpressUrl, wordpressSite, place) => {
    expect(wpPlaceOf(wpSite, { wordpressUrl, wordpressSite })).toBe(place);
  });
});

describe("permalinks", () => {
  it("keep letters and digits of any script, and end at a word", () => {
    expect(permalinkSlug("Don’t drown it: 3 rules (really)!")).toBe("dont-drown-it-3-rules-really");
    expect(permalinkSlug("园艺 入门")).toBe("园艺-入门");
    expect(permalinkSlug("?!")).toBe("");
  });

  it("have 80 characters at most: whole words, or the beginning of a longer one", () => {
    const first = "a".repeat(40);
    expect(permalinkSlug(`${first} ${"b".repeat(39)} c`)).toBe(`${first}-${"b".repeat(39)}`);
    expect(permalinkSlug(`${first} ${"b".repeat(40)} c`)).toBe(first);
    expect(permalinkSlug(`x${"y".repeat(99)}`)).toBe(`x${"y".repeat(79)}`);
  });
});

describe("settings", () => {
  it("complete an address as people type it, and refuse an invalid one", () => {
    expect(normalizeSiteUrl("blog.example.com/")).toBe("https://blog.example.com");
    expect(normalizeSiteUrl("http://example.com/blog/?x=1#y")).toBe("http://example.com/blog");
    for (const bad of ["ftp://example.com", "https://user:pass@example.com", "http://"]) {
      expect(() => normalizeSiteUrl(bad)).toThrow("address of your site");
    }
  });

  it("hint at a key by its last four characters, unless it is short", () => {
    expect(keyHint("sk-1234567890abcd")).toBe("abcd");
    expect(keyHint("short")).toBe("");
  });
});
