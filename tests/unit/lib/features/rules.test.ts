import { defaultMessage } from "@/lib/errors";
import { keyHint } from "@/lib/features/account/settings/rules";
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
import { BODY_FIRST, isPublishable, isSamePost } from "@/lib/features/publishing/rules";
import { normalizeSiteUrl } from "@/lib/features/sites/rules";
import { permalinkSlug } from "@/lib/utils/slug";

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
    // Buttons and the API give one reason.
    expect(BODY_FIRST).toBe("Write a body first");
    expect(defaultMessage("NOT_PUBLISHABLE")).toContain(BODY_FIRST);
  });

  it.each([
    ["never published", null, false, "https://a", "https://a/wp-json/", "none"],
    ["a post on the site found at the address", "7", true, "https://b", "https://a/wp-json/", "here"],
    ["a post on another site only", null, true, "https://a", "https://a/wp-json/", "elsewhere"],
    ["site not looked up, the same address", "7", true, "http://www.a/wp-admin", null, "here"],
    ["site not looked up, another address", "7", true, "https://b", null, "unknown"],
    ["a site that is not connected any more", "7", true, null, null, "here"],
  ])("locate a piece: %s", (_what, wpPostId, hasPosts, siteUrl, siteRoot, place) => {
    expect(wpPlaceOf({ wpPostId, hasPosts, siteUrl, siteRoot, sitePlace: "a" })).toBe(place);
  });

  it("do not know a place before any site was found", () => {
    const site = { siteUrl: "https://a", siteRoot: null, sitePlace: null };
    expect(wpPlaceOf({ wpPostId: null, hasPosts: true, ...site })).toBe("unknown");
  });
});

describe("a post on another address", () => {
  const stored = {
    guid: "http://old.example/?p=7",
    dateGmt: "2026-01-02T03:04:05",
    slug: "a-post",
    remoteHash: "text",
  };
  const moved = { ...stored, guid: "https://new.example/blog/?p=7" };

  it.each([
    ["as it was", stored, true],
    ["whose guid has another host and folder", moved, true],
    ["that was edited and renamed there", { ...stored, remoteHash: "edited", slug: "renamed" }, true],
    ["that was edited there, whose guid has another host", { ...moved, remoteHash: "edited" }, true],
    ["that has but the date in common, whose guid has another host", { ...moved, remoteHash: "x", slug: "y" }, false],
    [
      "that was edited and given another date",
      { ...stored, remoteHash: "edited", dateGmt: "2027-01-01T00:00:00" },
      true,
    ],
    ["that was renamed and given another date", { ...stored, slug: "renamed", dateGmt: "2027-01-01T00:00:00" }, true],
    [
      "that has nothing but the id in common",
      { ...moved, remoteHash: "x", slug: "y", dateGmt: "2027-01-01T00:00:00" },
      false,
    ],
    ["with the guid of another post", { ...stored, guid: "http://old.example/?p=8" }, false],
    ["without a guid", { ...stored, guid: null }, false],
  ])("%s", (_what, found, isSame) => {
    expect(isSamePost(stored, found)).toBe(isSame);
  });

  it("is known by its text alone where no guid was stored", () => {
    const old = { ...stored, guid: null };
    expect(isSamePost(old, moved)).toBe(true);
    expect(isSamePost(old, { ...moved, remoteHash: "edited" })).toBe(false);
    expect(isSamePost({ ...old, remoteHash: null }, { ...moved, remoteHash: null })).toBe(false);
  });

  it("is known by a text that was sent and not answered, as no date is known then, filtered or not", () => {
    const sent = { ...stored, dateGmt: null, slug: "draft", remoteHash: null, unansweredHashes: ["text", "visible"] };
    expect(isSamePost(sent, moved)).toBe(true);
    expect(isSamePost(sent, { ...moved, remoteHash: "filtered", visibleHash: "visible" })).toBe(true);
    expect(isSamePost(sent, { ...moved, remoteHash: "filtered", visibleHash: "other" })).toBe(false);
    expect(isSamePost({ ...sent, dateGmt: "2027-01-01T00:00:00" }, moved)).toBe(false);
  });

  it("is known by its marker alone", () => {
    const draft = { guid: null, dateGmt: null, slug: "content-planner-1", remoteHash: null };
    expect(isSamePost(draft, { ...moved, slug: "content-planner-1" })).toBe(true);
    expect(isSamePost(draft, { ...moved, slug: "content-planner-2" })).toBe(false);
    expect(isSamePost({ ...draft, slug: "a-post" }, moved)).toBe(false);
  });

  it("is not recognised by what neither has", () => {
    const bare = { guid: "http://old.example/?p=7", dateGmt: null, slug: null, remoteHash: null };
    expect(isSamePost(bare, bare)).toBe(false);
  });
});

describe("permalinks", () => {
  it("keep letters and digits of any script, and end at a word", () => {
    expect(permalinkSlug("Don’t drown it: 3 rules (really)!")).toBe("dont-drown-it-3-rules-really");
    expect(permalinkSlug("园艺 入门")).toBe("园艺-入门");
    expect(permalinkSlug("?!")).toBe("");
    expect(permalinkSlug("İstanbul’da Æbleskiver für Gäste, Łódź")).toBe("istanbulda-aebleskiver-fur-gaste-lodz");
    expect(permalinkSlug("Йод и ёлка")).toBe("йод-и-ёлка");
  });

  it("have 80 characters at most: whole words, or the beginning of a longer one", () => {
    const first = "a".repeat(40);
    expect(permalinkSlug(`${first} ${"b".repeat(39)} c`)).toBe(`${first}-${"b".repeat(39)}`);
    expect(permalinkSlug(`${first} ${"b".repeat(40)} c`)).toBe(first);
    expect(permalinkSlug(`x${"y".repeat(99)}`)).toBe(`x${"y".repeat(79)}`);
  });

  it("have 200 bytes at most as WordPress stores them", () => {
    expect(permalinkSlug("Как вырастить помидоры на подоконнике зимой и не потерять рассаду весной")).toBe(
      "как-вырастить-помидоры-на",
    );
    expect(permalinkSlug("ы".repeat(99))).toBe("ы".repeat(33));
    expect(permalinkSlug("🌱𠮷".repeat(40)).length).toBeLessThanOrEqual(80);
  });
});

describe("settings", () => {
  it("complete an address as people type it, and refuse an invalid one", () => {
    expect(normalizeSiteUrl("blog.example.com/")).toBe("https://blog.example.com");
    expect(normalizeSiteUrl("http://example.com/blog/?x=1#y")).toBe("http://example.com/blog");
    for (const typed of ["https:blog.example.com", "https:/blog.example.com", "\u200b HTTPS:// blog.example.com\u200b"])
      expect(normalizeSiteUrl(typed)).toBe("https://blog.example.com");
    for (const typed of ["https.example.com", "http-blog.example.com/https//x"])
      expect(normalizeSiteUrl(typed)).toBe(`https://${typed}`);
    for (const bad of [
      "ftp://example.com",
      "https://user:pass@example.com",
      "http://",
      "not an address",
      "blog. example.com",
    ]) {
      expect(() => normalizeSiteUrl(bad)).toThrow("address of your site");
    }
  });

  it("hint at a key by its last four characters, unless it is short", () => {
    expect(keyHint("sk-1234567890abcd")).toBe("abcd");
    expect(keyHint("short")).toBe("");
  });
});
