import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { changesOf, isAffected } from "@/lib/client/changes";
import { keys, LOCAL_STATE } from "@/lib/client/query-keys";
import { OPERATIONS } from "@/lib/transport/generated/operations";
import { type Operation, operationsAt } from "@/lib/transport/paths";

const ID = "6f1c1f8e-5b1a-4f0e-9d55-0c6f2a3b4c5d";
const OTHER = "0c6f2a3b-5b1a-4f0e-9d55-6f1c1f8e4c5d";

const operations = Object.values<Record<string, Operation>>(OPERATIONS).flatMap((methods) => Object.values(methods));

it("keeps as queries exactly the reads whose routes say what they show", () => {
  const addresses = Object.values(keys)
    .map((key) => String((key as (a: unknown, b: unknown) => readonly unknown[])(1, 2)[0]))
    .filter((address) => address !== LOCAL_STATE);
  const kept = new Set(addresses.map((address) => operationsAt(address)?.GET));
  expect([...kept]).toEqual(expect.arrayContaining(operations.filter(({ shows }) => shows)));
  expect([...kept].every((operation) => operation?.shows)).toBe(true);
});

it("shows each noun in some query", () => {
  const shown = new Set(operations.flatMap(({ shows }) => shows?.nouns ?? []));
  expect(shown).toEqual(new Set(operations.flatMap(({ changes }) => changes ?? [])));
});

/** A change that bypasses `api` would refresh nothing. */
it("covers every call that changes something", () => {
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
    // A server action names the equivalent path; connecting Google leaves the page.
    const actions = source.match(/\bactionData\(\w+/g) ?? [];
    const untracked = actions.filter((call) => !/connectGoogle|saveSettings|createProject/.test(call));
    expect([feature, untracked.filter((call) => !/unlinkGoogle/.test(call))]).toEqual([feature, []]);
    const tracked = source.match(/trackCall\(\{/g)?.length ?? 0;
    const streamsAndActions = actions.length - (source.match(/onnectGoogleAction\(input/g)?.length ?? 0);
    expect([feature, tracked]).toEqual([feature, streamsAndActions + (source.match(/apiEvents\(/g)?.length ?? 0)]);
  }
});

describe("what a call changed", () => {
  it("includes the ids of its address, body and answer", () => {
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

  it("takes only numbers in the answer as ids", () => {
    const answer = { projectId: "3", topicId: null };
    expect(changesOf({ method: "PATCH", url: `/api/content/${ID}?x=/topics/9`, answer })).toEqual([
      { noun: "piece", contentId: ID },
    ]);
  });

  it("is nothing when the route says nothing of it", () => {
    expect(changesOf({ method: "POST", url: "/api/topics/7/suggest-keywords?autoSave=true" })).toHaveLength(1);
    expect(changesOf({ method: "POST", url: "/api/login" })).toEqual([]);
  });
});

describe("the queries that a changed piece affects", () => {
  const piece = { noun: "piece", projectId: 3, topicId: 7, contentId: ID } as const;

  it.each([
    ["the topic's pieces", keys.topicContent(3, 7), undefined, true],
    ["another topic's", keys.topicContent(3, 8), undefined, false],
    ["the project's, for publishing", [...keys.projectContent(3), "publishable"], undefined, true],
    ["another project's", keys.projectContent(4), undefined, false],
    ["the library's rows of the topic", keys.library({ projectId: 3, topicId: 7, limit: 50 }), undefined, true],
    ["those of another topic", keys.library({ projectId: 3, topicId: 8, limit: 50 }), undefined, false],
    ["a search over everything", keys.library({ search: "peat" }), undefined, true],
    ["the counts of the library", keys.libraryGroups({}), undefined, true],
    ["the counts of the topics", keys.topics(3), undefined, true],
    ["the piece", keys.content(ID), undefined, true],
    ["another piece", keys.content(OTHER), { projectId: 3, topicId: 7 }, false],
    ["what is beside another piece of its topic", keys.neighbours(OTHER), { topicId: 7 }, true],
    ["what is beside a piece of another topic", keys.neighbours(OTHER), { topicId: 8 }, false],
    ["what is beside itself", keys.neighbours(ID), { topicId: 7 }, false],
    ["its revisions", keys.revisions(ID), undefined, true],
    ["one revision with its texts", keys.revision(ID, OTHER), undefined, true],
    ["the projects", keys.projects(), undefined, false],
    ["an address that is not listed", ["/api/unknown"], undefined, false],
    ["a key that is no address", [{ projectId: 3 }], undefined, false],
    ["local state", keys.rejectedTexts("x"), undefined, false],
  ])("%s", (_what, queryKey, data, expected) => {
    expect(isAffected({ queryKey, data }, [piece])).toBe(expected);
  });

  it("include a piece by the topic in its data", () => {
    const ofTopic = [{ noun: "piece", projectId: 3, topicId: 7 } as const];
    expect(isAffected({ queryKey: keys.content(ID), data: { projectId: 3, topicId: 7 } }, ofTopic)).toBe(true);
    expect(isAffected({ queryKey: keys.content(ID), data: { projectId: 3, topicId: 8 } }, ofTopic)).toBe(false);
    expect(isAffected({ queryKey: keys.neighbours(ID), data: { topicId: 7 } }, ofTopic)).toBe(true);
  });
});
