import {
  afterOwnChange,
  afterSave,
  draftFromKept,
  EMPTY_DRAFT,
  editedFields,
  fieldsOf,
  isOwnSave,
  isStillMissing,
  mergedDraft,
  patchOf,
  withEdit,
  withSent,
} from "@/components/content/draft";
import { aPiece } from "@/tests/support/pieces";

const piece = aPiece({ version: 4, body: "Old", outline: null });

it("shows the edits over the stored piece", () => {
  const draft = withEdit(EMPTY_DRAFT, piece, "body", "New");
  expect(fieldsOf(piece, draft)).toMatchObject({ title: piece.title, status: "draft", outline: "", body: "New" });
});

it("keeps the version of the first edit, even when the piece changes", () => {
  const first = withEdit(EMPTY_DRAFT, piece, "body", "New");
  const second = withEdit(first, aPiece({ version: 9 }), "title", "Other");
  expect(second.version).toBe(4);
});

it("ignores edits that restore the text or change only white space or Unicode composition", () => {
  expect(editedFields(piece, withEdit(EMPTY_DRAFT, piece, "body", "Old"))).toEqual({});
  expect(editedFields(piece, withEdit(EMPTY_DRAFT, piece, "body", " Old\n"))).toEqual({});
  const composed = aPiece({ title: "Caf\u00e9" });
  expect(editedFields(composed, withEdit(EMPTY_DRAFT, composed, "title", "Cafe\u0301"))).toEqual({});
});

it("marks a piece as an outline when an outline is sent, and not when it is cleared", () => {
  const draft = withEdit(EMPTY_DRAFT, piece, "outline", "## One");
  expect(patchOf(piece, draft, { outline: "## One" })).toEqual({ outline: "## One", isOutline: true, version: 4 });
  expect(patchOf(piece, draft, { outline: "" })).toEqual({ outline: "", version: 4 });
});

it("keeps what was typed during a save, based on the saved version", () => {
  const sent = { body: "New" };
  const typedOn = { version: 4, edits: { body: "New and more", title: "Other" } };
  const saved = aPiece({ version: 5 });
  expect(afterSave(typedOn, { ...sent, title: "Other" }, saved)).toEqual({
    version: 5,
    edits: { body: "New and more" },
    base: fieldsOf(saved, EMPTY_DRAFT),
  });
  expect(afterSave({ version: 4, edits: sent }, sent, aPiece({ version: 5 }))).toEqual(EMPTY_DRAFT);
});

describe("a draft that the browser has kept", () => {
  it("is restored with the fields of this piece only, on the version it was typed on", () => {
    const edits = { title: "Other", body: "New", outline: "## One", status: "review" };
    expect(draftFromKept({ version: 3, edits }, piece)).toEqual({ version: 3, edits });
    expect(draftFromKept({ version: 3, edits: { body: "New", title: 7, outline: null, size: 2 } }, piece)).toEqual({
      version: 3,
      edits: { body: "New" },
    });
  });

  it("has no status that only publishing sets, and none for a published piece", () => {
    const edits = { body: "New", status: "wp_published" };
    expect(draftFromKept({ version: 3, edits }, piece)?.edits).toEqual({ body: "New" });
    const live = aPiece({ status: "wp_published", wpPostId: "12" });
    expect(draftFromKept({ version: 3, edits: { body: "New", status: "review" } }, live)?.edits).toEqual({
      body: "New",
    });
  });

  it.each([
    [null],
    ["text"],
    [{ edits: { body: "New" } }],
    [{ version: "3", edits: { body: "New" } }],
    [{ version: 3 }],
    [{ version: 3, edits: null }],
    [{ version: 3, edits: "New" }],
    [{ version: 3, edits: { body: "Old" } }],
    [{ version: 3, edits: {} }],
  ])("is ignored when it is malformed or changes nothing: %j", (kept) => {
    expect(draftFromKept(kept, piece)).toBeNull();
  });
});

it("leaves an empty draft as it is after an AI call", () => {
  expect(afterOwnChange(EMPTY_DRAFT, "body", aPiece({ version: 5 }))).toBe(EMPTY_DRAFT);
});

it("clears the title-only mark with a first body, but not with a blank one", () => {
  const idea = aPiece({ version: 4, isTitleOnly: true, body: "" });
  const draft = withEdit(EMPTY_DRAFT, idea, "body", "New");
  expect(patchOf(idea, draft, { body: "New" })).toEqual({ body: "New", isTitleOnly: false, version: 4 });
  expect(patchOf(idea, draft, { body: " " })).toEqual({ body: " ", version: 4 });
  expect(patchOf(aPiece({ version: 9 }), draft, { body: "New" })).toEqual({ body: "New", version: 4 });
  expect(patchOf(piece, EMPTY_DRAFT, { title: "Other" })).toEqual({ title: "Other", version: 4 });
});

describe("after an AI call from this editor", () => {
  const draft = withEdit(EMPTY_DRAFT, piece, "title", "Other");

  it("moves edits of other fields to the new version", () => {
    expect(afterOwnChange(draft, "body", aPiece({ version: 5 })).version).toBe(5);
  });

  it("keeps an edit of the written field on the old version, so that saving asks first", () => {
    expect(afterOwnChange(draft, "title", aPiece({ version: 5 })).version).toBe(4);
  });

  it("keeps every edit on the old version when someone else saved too", () => {
    expect(afterOwnChange(draft, "body", aPiece({ version: 6 })).version).toBe(4);
  });
});

describe("a draft on a version that was saved elsewhere", () => {
  const piece = aPiece({ version: 4, title: "A", body: "One.\n\nTwo.\n\nThree.", outline: "## One" });
  const mine = withEdit(EMPTY_DRAFT, piece, "body", "One.\n\nTwo.\n\nThree. Mine.");

  it("has both changes if they are in different lines", () => {
    const theirs = aPiece({ ...piece, version: 5, title: "B", body: "One. Theirs.\n\nTwo.\n\nThree." });
    expect(mergedDraft(mine, theirs)).toMatchObject({
      version: 5,
      edits: { body: "One. Theirs.\n\nTwo.\n\nThree. Mine." },
      base: { title: "B", body: theirs.body },
    });
  });

  it("drops what is saved already, and keeps a status", () => {
    const theirs = aPiece({ ...piece, version: 5, body: "One.\n\nTwo.\n\nThree. Mine.", status: "review" });
    const edited = withEdit(mine, piece, "status", "unpublished");
    expect(mergedDraft(edited, theirs)?.edits).toEqual({ status: "unpublished" });
  });

  it.each([
    ["the same lines", mine, { body: "One.\n\nTwo.\n\nThree. Theirs." }],
    ["the title", withEdit(EMPTY_DRAFT, piece, "title", "Mine"), { title: "Theirs" }],
    ["something, and the first version is not known", { version: 4, edits: mine.edits }, { body: "Theirs." }],
  ])("asks if both have changed %s", (_name, draft, parts) => {
    expect(mergedDraft(draft, aPiece({ ...piece, version: 5, ...parts }))).toBeNull();
  });

  it("goes on from what was sent before, though its answer was lost; the same words in another field are theirs", () => {
    const draft = withSent({ ...mine, edits: { body: "One.\n\nTwo, mine." } }, { body: "One.\n\nTwo, mine." });
    const typedOn = { ...draft, edits: { body: "One.\n\nTwo, mine, and more." } };
    const saved = aPiece({ ...piece, body: "One.\n\nTwo, mine.", version: 5 });
    expect(mergedDraft(typedOn, saved)?.edits).toEqual(typedOn.edits);
    expect(isOwnSave(typedOn, saved)).toBe(true);
    expect(isOwnSave(typedOn, { ...saved, outline: "One.\n\nTwo, mine." })).toBe(false);
  });
});

describe("edits that were kept some time ago", () => {
  const base = fieldsOf(aPiece({ version: 4, body: "One.\n\nTwo." }), EMPTY_DRAFT);
  const kept = { version: 4, edits: { body: "One, mine.\n\nTwo." }, base };

  it.each([
    ["the version they began on", aPiece({ version: 4, body: "One.\n\nTwo." }), true],
    ["one that has them", aPiece({ version: 5, body: "One, mine.\n\nTwo." }), false],
    ["one that has them and more", aPiece({ version: 9, body: "One, mine.\n\nTwo, and more." }), false],
    ["one without them", aPiece({ version: 9, body: "One.\n\nTwo, and more." }), true],
    ["one with other words in their place", aPiece({ version: 9, body: "One, theirs.\n\nTwo." }), true],
  ])("are missing in %s: %#", (_what, piece, expected) => {
    expect(isStillMissing(kept, piece)).toBe(expected);
  });
});
