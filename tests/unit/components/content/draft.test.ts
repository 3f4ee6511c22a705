import {
  afterOwnChange,
  afterSave,
  changesOf,
  EMPTY_DRAFT,
  fieldsOf,
  patchOf,
  withEdit,
} from "@/components/content/draft";
import { aPiece } from "@/tests/support/pieces";

const piece = aPiece({ version: 4, body: "Old", outline: null });

it("shows the edits over the stored piece", () => {
  const draft = withEdit(EMPTY_DRAFT, piece, "body", "New");
  expect(fieldsOf(piece, draft)).toEqual({ title: piece.title, status: "draft", outline: "", body: "New" });
});

it("keeps the version of the first edit, also when the piece moves on", () => {
  const first = withEdit(EMPTY_DRAFT, piece, "body", "New");
  const second = withEdit(first, aPiece({ version: 9 }), "title", "Other");
  expect(second.version).toBe(4);
});

it("knows no change in what was typed back or differs in white space and composition alone", () => {
  expect(changesOf(piece, withEdit(EMPTY_DRAFT, piece, "body", "Old"))).toEqual({});
  expect(changesOf(piece, withEdit(EMPTY_DRAFT, piece, "body", " Old\n"))).toEqual({});
  const composed = aPiece({ title: "Caf\u00e9" });
  expect(changesOf(composed, withEdit(EMPTY_DRAFT, composed, "title", "Cafe\u0301"))).toEqual({});
});

it("marks outline content when an outline is sent, and not when it is cleared", () => {
  const draft = withEdit(EMPTY_DRAFT, piece, "outline", "## One");
  expect(patchOf(piece, draft, { outline: "## One" })).toEqual({ outline: "## One", isOutline: true, version: 4 });
  expect(patchOf(piece, draft, { outline: "" })).toEqual({ outline: "", version: 4 });
});

it("keeps what was typed while a save ran, now on the saved version", () => {
  const sent = { body: "New" };
  const typedOn = { version: 4, edits: { body: "New and more", title: "Other" } };
  expect(afterSave(typedOn, { ...sent, title: "Other" }, aPiece({ version: 5 }))).toEqual({
    version: 5,
    edits: { body: "New and more" },
  });
  expect(afterSave({ version: 4, edits: sent }, sent, aPiece({ version: 5 }))).toEqual(EMPTY_DRAFT);
});

describe("after an AI call of ours", () => {
  const draft = withEdit(EMPTY_DRAFT, piece, "title", "Other");

  it("edits of other fields follow the new version", () => {
    expect(afterOwnChange(draft, "body", aPiece({ version: 5 })).version).toBe(5);
  });

  it("an edit of the field it wrote keeps the old one, so that saving asks first", () => {
    expect(afterOwnChange(draft, "title", aPiece({ version: 5 })).version).toBe(4);
  });

  it("so does every edit when somebody else saved too", () => {
    expect(afterOwnChange(draft, "body", aPiece({ version: 6 })).version).toBe(4);
  });
});
