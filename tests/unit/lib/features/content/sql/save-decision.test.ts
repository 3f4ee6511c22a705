import {
  decideAiText,
  decidePatch,
  type KnownRevision,
  type Locked,
  type PatchFacts,
} from "@/lib/features/content/sql/save-decision";

const SITTING: KnownRevision = {
  id: "sitting",
  author: "user",
  isRecent: true,
  isPublished: false,
  hasAside: false,
  longestBody: null,
  longestOutline: null,
};

type Given = Partial<Omit<Locked, "next">> & { next?: Partial<Locked["next"]> };

/** A piece of 100 characters that becomes 101 of another text, with a revision that may be merged. */
function locked({ next, ...piece }: Given = {}): Locked {
  return {
    version: 3,
    textVersion: 2,
    status: "draft",
    isTitleOnly: false,
    isOutline: false,
    bodyLength: 100,
    outlineLength: null,
    revision: SITTING,
    hasManyRevisions: false,
    ...piece,
    next: { differs: true, bodyLength: 101, outlineLength: null, hasBody: true, hasOutline: false, ...next },
  };
}

const patch = (given: Given = {}, change: Partial<PatchFacts> = {}) =>
  decidePatch(locked(given), { version: 3, setsOutline: false, ...change });

describe("a user's change", () => {
  it("of another version leaves the piece alone and becomes a revision without a version", () => {
    expect(patch({ revision: null }, { version: 2 })).toEqual({
      update: null,
      keepsReplaced: false,
      revision: { version: null, into: null, longestBody: 101, longestOutline: null },
      prunes: false,
    });
    expect(patch({}, { version: 2 }).revision).toMatchObject({ into: null, longestBody: 101 });
  });

  it("to the text that the piece has keeps nothing and leaves its version, on whichever version it was made", () => {
    const next = { differs: false, bodyLength: 100 };
    const nothing = { keepsReplaced: false, revision: null, prunes: false };
    const full = { next, revision: null, hasManyRevisions: true };
    expect(patch(full)).toMatchObject({ ...nothing, update: { version: 3 } });
    expect(patch(full, { version: 2 })).toMatchObject({ ...nothing, update: null });
  });

  it("raises the version, and keeps the replaced text if it has no revision", () => {
    expect(patch()).toMatchObject({ update: { version: 4 }, keepsReplaced: false, revision: { version: 4 } });
    expect(patch({ revision: null })).toMatchObject({ update: { version: 4 }, keepsReplaced: true });
  });

  it("prunes only when a revision is added to many", () => {
    expect(patch({ hasManyRevisions: true }).prunes).toBe(false);
    expect(patch({ hasManyRevisions: true, revision: null }).prunes).toBe(true);
    expect(patch({ hasManyRevisions: true }, { version: 2 }).prunes).toBe(true);
    expect(patch({ revision: null }).prunes).toBe(false);
  });

  it("sets the status, but not of a live piece", () => {
    expect(patch({}, { status: "review" }).update?.status).toBe("review");
    expect(patch({ status: "review" }).update?.status).toBe("review");
    expect(patch({ status: "wp_published" }, { status: "draft" }).update?.status).toBe("wp_published");
  });

  it.each<[boolean, boolean | undefined, boolean, boolean]>([
    [true, true, true, false],
    [true, undefined, false, true],
    [false, true, false, true],
    [true, false, false, false],
    [false, undefined, false, false],
  ])(
    "on a piece whose title-only is %s, with %s sent and a body: %s, makes it %s",
    (isTitleOnly, sent, hasBody, made) => {
      expect(patch({ isTitleOnly, next: { hasBody } }, { isTitleOnly: sent }).update?.isTitleOnly).toBe(made);
    },
  );

  it.each<[boolean, boolean | undefined, boolean, boolean, boolean]>([
    [false, undefined, true, true, true],
    [true, false, true, true, true],
    [true, true, true, false, false],
    [true, undefined, false, false, false],
    [true, undefined, false, true, true],
    [false, undefined, false, true, false],
    [false, true, false, true, true],
    [true, false, false, true, false],
  ])("on a piece whose outline flag is %s, with %s sent, an outline set: %s, and there: %s, makes it %s", (...row) => {
    const [isOutline, sent, setsOutline, hasOutline, made] = row;
    expect(patch({ isOutline, next: { hasOutline } }, { isOutline: sent, setsOutline }).update?.isOutline).toBe(made);
  });
});

describe("the revision of an edit session", () => {
  it("moves on with the session's saves", () => {
    expect(patch().revision).toEqual({ version: 4, into: "sitting", longestBody: 101, longestOutline: null });
  });

  it.each<[string, Partial<KnownRevision>]>([
    ["is the AI's", { author: "ai" }],
    ["is too old", { isRecent: false }],
    ["was published", { isPublished: true }],
    ["is followed by a text that was set aside", { hasAside: true }],
  ])("stays if it %s, and its lengths are forgotten", (_what, facts) => {
    const revision = { ...SITTING, longestBody: 500, longestOutline: 500, ...facts };
    expect(patch({ revision, outlineLength: 60 }).revision).toMatchObject({
      into: null,
      longestBody: 101,
      longestOutline: null,
    });
  });

  it("stays if the change names no version", () => {
    expect(patch({}, { version: undefined })).toMatchObject({
      update: { version: 4 },
      revision: { version: 4, into: null, longestBody: 101 },
    });
  });

  it("stays if body or outline loses more than half, also of a short text", () => {
    const into = (given: Given) => patch(given).revision?.into;
    expect(into({ bodyLength: 40, next: { bodyLength: 20 } })).toBe("sitting");
    expect(into({ bodyLength: 41, next: { bodyLength: 20 } })).toBeNull();
    expect(into({ outlineLength: 40, next: { outlineLength: 20 } })).toBe("sitting");
    expect(into({ outlineLength: 41, next: { outlineLength: 20 } })).toBeNull();
    expect(into({ outlineLength: 1, next: { outlineLength: null } })).toBeNull();
  });

  it("stays if it has the longest text and the next one has less than nine tenths of that", () => {
    const body = (longestBody: number | null, bodyLength: number, next: number) =>
      patch({ revision: { ...SITTING, longestBody }, bodyLength, next: { bodyLength: next } }).revision;
    expect(body(null, 100, 90)?.into).toBe("sitting");
    expect(body(null, 100, 89)).toMatchObject({ into: null, longestBody: 100 });
    expect(body(110, 99, 98)).toMatchObject({ into: null, longestBody: 110 });
    // It lost the longest text already.
    expect(body(100, 89, 80)).toMatchObject({ into: "sitting", longestBody: 100 });
    expect(body(null, 50, 44)?.into).toBeNull();
    expect(body(null, 49, 40)?.into).toBe("sitting");
    const outline = (longestOutline: number | null, outlineLength: number, next: number) =>
      patch({ revision: { ...SITTING, longestOutline }, outlineLength, next: { outlineLength: next } }).revision;
    expect(outline(null, 100, 89)).toMatchObject({ into: null, longestOutline: 100 });
    expect(outline(100, 89, 80)).toMatchObject({ into: "sitting", longestOutline: 100 });
    expect(outline(null, 60, 70)).toMatchObject({ into: "sitting", longestOutline: 70 });
  });
});

describe("an AI text", () => {
  const decide = (given: Given, field: "outline" | "body" = "body", baseTextVersion: number | null = 2) =>
    decideAiText(locked(given), { field, baseTextVersion });
  const kept = { into: null, longestBody: null, longestOutline: null };

  it("replaces the text it was written from, which is kept", () => {
    expect(decide({ revision: null, status: "wp_published" })).toEqual({
      update: { version: 4, status: "wp_published", isTitleOnly: false, isOutline: false },
      keepsReplaced: true,
      revision: { ...kept, version: 4 },
      prunes: false,
    });
    expect(decide({}).keepsReplaced).toBe(false);
  });

  it("is a version of its own even if it says the same", () => {
    expect(decide({ next: { differs: false } })).toMatchObject({ update: { version: 4 }, revision: { version: 4 } });
  });

  it.each([[1], [null]])("from text version %s only becomes a revision", (base) => {
    expect(decide({ revision: null }, "body", base)).toEqual({
      update: null,
      keepsReplaced: false,
      revision: { ...kept, version: null },
      prunes: false,
    });
  });

  it("prunes many revisions", () => {
    expect(decide({ hasManyRevisions: true }).prunes).toBe(true);
  });

  it("ends title-only with a body, and flags an outline", () => {
    expect(decide({ isTitleOnly: true }).update).toMatchObject({ isTitleOnly: false, isOutline: false });
    const outline = { isTitleOnly: true, next: { hasBody: false, hasOutline: true } };
    expect(decide(outline, "outline").update).toMatchObject({ isTitleOnly: true, isOutline: true });
    const written = { isOutline: true, next: { hasBody: false } };
    expect(decide(written).update).toMatchObject({ isTitleOnly: false, isOutline: true });
  });
});
