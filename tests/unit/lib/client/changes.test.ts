import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { changesOf, QUERIES, shows, VERBS } from "@/lib/client/changes";
import { keys } from "@/lib/client/query-keys";

const ID = "6f1c1f8e-5b1a-4f0e-9d55-0c6f2a3b4c5d";
const OTHER = "0c6f2a3b-5b1a-4f0e-9d55-6f1c1f8e4c5d";

it("knows every query of the browser", () => {
  const {
    allUnsaved,
    unsaved,
    allWriting,
    writing,
    allSuggestions,
    suggestions,
    allLibrary,
    allLibraryGroups,
    ...fetched
  } = keys;
  const addresses = Object.values(fetched).map(
    (key) => (key as (a: unknown, b: unknown) => readonly unknown[])(1, 2)[0],
  );
  const patterns = new Set(
    addresses.map((address) => String(address).replace("/api/content/1", "/api/content/{}").replace(/\/\d+/g, "/{}")),
  );
  expect([...patterns].sort()).toEqual(Object.keys(QUERIES).sort());
});

it("has each noun shown by a query", () => {
  const nouns = new Set(Object.values(VERBS).flatMap(({ changes }) => changes));
  for (const noun of nouns) expect(Object.values(QUERIES).some((shown) => shown.nouns.includes(noun))).toBe(true);
});

/** A change of the browser that goes past `api` would refresh nothing. */
it("sees every call that changes something", () => {
  const features = path.join(process.cwd(), "lib/features");
  const sources = readdirSync(features).flatMap((feature) => {
    const file = path.join(features, feature, "client.ts");
    return readdirSync(path.join(features, feature)).includes("client.ts")
      ? [[feature, readFileSync(file, "utf8")]]
      : [];
  });
  expect(sources.length).toBeGreaterThan(6);
  for (const [feature, source = ""] of sources) {
    expect([feature, /\bfetch\(|\bsend\(/.test(source)]).toEqual([feature, false]);
    // A server action does the same as a path, and says which; connecting Google leaves the page.
    const actions = source.match(/\bactionData\(\w+/g) ?? [];
    const unwatched = actions.filter((call) => !/connectGoogle|saveSettings|createProject/.test(call));
    expect([feature, unwatched.filter((call) => !/disconnectGoogle/.test(call))]).toEqual([feature, []]);
    const watched = source.match(/watched\(\{/g)?.length ?? 0;
    const streamsAndActions = actions.length - (source.match(/onnectGoogleAction\(input/g)?.length ?? 0);
    expect([feature, watched]).toEqual([feature, streamsAndActions + (source.includes("apiEvents(") ? 1 : 0)]);
  }
});

describe("what a call changed", () => {
  it("is placed by its address, its body and its answer", () => {
    expect(changesOf({ method: "DELETE", url: "/api/topics/7", answer: undefined })).toContainEqual({
      noun: "keyword",
      topicId: 7,
    });
    const body = { topicId: 7, ideasPerKeyword: 3 };
    expect(changesOf({ method: "POST", url: "/api/projects/3/generate-content-ideas", body })).toEqual([
      { noun: "piece", projectId: 3, topicId: 7 },
    ]);
    const answer = { projectId: 3, topicId: 7, title: "x" };
    expect(changesOf({ method: "PATCH", url: `/api/content/${ID}`, answer })).toEqual([
      { noun: "piece", projectId: 3, topicId: 7, contentId: ID },
    ]);
  });

  it("is nothing when suggestions are only asked for", () => {
    expect(changesOf({ method: "POST", url: "/api/topics/7/suggest-keywords" })).toEqual([]);
    expect(changesOf({ method: "POST", url: "/api/topics/7/suggest-keywords?autoSave=true" })).toHaveLength(1);
    expect(changesOf({ method: "POST", url: "/api/login" })).toEqual([]);
  });
});

describe("a query shows", () => {
  const piece = { noun: "piece", projectId: 3, topicId: 7, contentId: ID } as const;

  it.each([
    ["the topic's pieces", keys.topicContent(3, 7), undefined, true],
    ["another topic's", keys.topicContent(3, 8), undefined, false],
    ["the project's, for publishing", [...keys.projectContent(3), "publishable"], undefined, true],
    ["another project's", keys.projectContent(4), undefined, false],
    ["the library's rows of the topic", keys.library({ projectId: 3, topicId: 7, limit: 50 }), undefined, true],
    ["those of another topic", keys.library({ projectId: 3, topicId: 8, limit: 50 }), undefined, false],
    ["a search over everything", keys.library({ search: "peat" }), undefined, true],
    ["the numbers of the library", keys.libraryGroups({}), undefined, true],
    ["the numbers of the topics", keys.topics(3), undefined, true],
    ["the piece", keys.content(ID), undefined, true],
    ["another piece", keys.content(OTHER), { projectId: 3, topicId: 7 }, false],
    ["its revisions", keys.revisions(ID), undefined, true],
    ["the texts of one of them", keys.revision(ID, OTHER), undefined, true],
    ["the projects", keys.projects(), undefined, false],
    ["something of ours that is fetched from nowhere", keys.unsaved("x"), undefined, false],
  ])("%s", (_what, queryKey, data, expected) => {
    expect(shows({ queryKey, data }, [piece])).toBe(expected);
  });

  it("a piece of a topic by what is known of it", () => {
    const ofTopic = [{ noun: "piece", projectId: 3, topicId: 7 } as const];
    expect(shows({ queryKey: keys.content(ID), data: { projectId: 3, topicId: 7 } }, ofTopic)).toBe(true);
    expect(shows({ queryKey: keys.content(ID), data: { projectId: 3, topicId: 8 } }, ofTopic)).toBe(false);
  });
});
