import { isolateHistory } from "@codemirror/commands";
import type { Extension, TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { linkFromPaste } from "@/components/shared/markdown-editor/commands";
import { isInCode } from "@/components/shared/markdown-editor/lists";
import { fittingChange, fittingText } from "@/components/shared/markdown-editor/paste-fit";
import {
  cameTo,
  comesTo,
  comingPastes,
  forgotten,
  type Paste,
  pastePlaces,
  placeOf,
} from "@/components/shared/markdown-editor/paste-place";
import {
  type CellRange,
  fillingFrom,
  rangeOfMarkdown,
  rangeOfText,
} from "@/components/shared/markdown-editor/table/paste-range";
import { complete } from "@/components/shared/markdown-editor/table/state";
import { type ReadPage, readPage } from "@/lib/client/read-page";
import { bulletsToDashes } from "@/lib/utils/block-marks";

/** What there is to say of a paste that was more than a plain text. */
export type Pasted = {
  /** `converted`: it is there with its formatting. `plain`: only its words are, because the rest took too long. */
  as: "converted" | "plain" | "nothing";
  /** Pictures that are there, but whose addresses will not last, and those that could not be kept. */
  pictures: ReadPage["pictures"];
  /** Puts the plain text in its place. False if the user has changed it meanwhile. */
  asText?: () => boolean;
};

/**
 * Takes what is pasted or dropped: pages and documents as Markdown, other applications' lists with Markdown's marks, and no
 * files of pictures. In the editor of a cell, `around` is the editor that has the text.
 */
export function pasting(onPasted: (pasted: Pasted) => void, around?: EditorView): Extension {
  let isPlain = false;
  return [
    around ? [] : pastePlaces,
    EditorView.domEventHandlers({
      keydown(event) {
        // The paste event does not say whether the user asked for plain text.
        isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v";
        return false;
      },
      paste(event, field) {
        const view = around ?? field;
        const wasPlain = isPlain;
        isPlain = false;
        const data = event.clipboardData;
        if (!data || view.state.readOnly) return false;
        return wasPlain ? pastePlain(data, view) : paste(data, view, onPasted);
      },
      drop(event, field) {
        const view = around ?? field;
        const data = event.dataTransfer;
        return Boolean(data && !view.state.readOnly && refusePictures(data, onPasted));
      },
    }),
  ];
}

function pastePlain(data: DataTransfer, view: EditorView): boolean {
  const text = plainText(data);
  if (text === "") return false;
  complete(view);
  insert(view, fittingText(view.state, view.state.selection.main.from, text));
  return true;
}

function paste(data: DataTransfer, view: EditorView, onPasted: (pasted: Pasted) => void): boolean {
  if (refusePictures(data, onPasted)) return true;
  complete(view);
  const { state } = view;
  const { from } = state.selection.main;
  const link = linkFromPaste(state, data.getData("text/plain"));
  if (link) {
    view.dispatch(link);
    return true;
  }
  if (isInCode(state, from)) return false;
  if (hasPage(data)) {
    void pastePage(data, view, onPasted);
    return true;
  }
  const text = plainText(data);
  if (text.includes("\t") && fillCells(view, from, evenRange(text))) return true;
  const fitting = fittingText(state, from, text.length > MAX_TEXT ? text : bulletsToDashes(text));
  if (fitting === text) return false;
  insert(view, fitting);
  return true;
}

/** A longer text would block the editor. */
const MAX_TEXT = 2_000_000;
/** A code editor copies HTML only for its colours. */
function hasPage(data: DataTransfer): boolean {
  return data.getData("text/html") !== "" && !data.types.includes("vscode-editor-data");
}

function plainText(data: DataTransfer): string {
  return data.getData("text/plain").replace(/\r\n?/g, "\n");
}

/** Files of pictures alone, such as a screenshot, have no address that a text could name. */
function refusePictures(data: DataTransfer, onPasted: (pasted: Pasted) => void): boolean {
  const files = [...data.files];
  if (files.length === 0 || !files.every(({ type }) => type.startsWith("image/"))) return false;
  if (data.getData("text/plain") !== "" || data.getData("text/html") !== "") return false;
  onPasted({ as: "nothing", pictures: { temporary: 0, lost: files.length } });
  return true;
}

/** Fills the cells of a table from this position on; false outside of tables. */
function fillCells(view: EditorView, at: number, range: CellRange | null, ...more: TransactionSpec[]): boolean {
  // One cell is words among others.
  const isRange = range !== null && range.flat().length > 1;
  const filling = isRange && fillingFrom(view.state, at, range);
  if (!filling) return false;
  const annotations = isolateHistory.of("full");
  view.dispatch(filling, { userEvent: "input.paste", annotations, scrollIntoView: true }, ...more);
  return true;
}

/** The cells of a text with tabs, if each row has as many; other tabs are spaces between words. */
function evenRange(text: string): CellRange | null {
  const range = rangeOfText(text);
  return range.length > 1 && range.every((row) => row.length === range[0]?.length) ? range : null;
}

/** A single column of a spreadsheet is no table of Markdown: each row of the page is a line of the text. */
function columnOf(html: string, text: string): CellRange | null {
  const rows = html.match(/<tr\b/gi)?.length ?? 0;
  const range = rows > 1 ? rangeOfText(text) : null;
  return range?.length === rows ? range : null;
}

function insert(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { userEvent: "input.paste", scrollIntoView: true });
}

/** A page or document comes as Markdown to the place where it was pasted, in one step that can be undone. */
async function pastePage(data: DataTransfer, view: EditorView, onPasted: (pasted: Pasted) => void): Promise<void> {
  const [html, text] = [data.getData("text/html"), plainText(data)];
  const paste: Paste = { text };
  const { from, to } = view.state.selection.main;
  view.dispatch({ effects: comesTo(paste, { from, to }) });
  const found = html.length > MAX_TEXT ? null : await readPage(html, text);
  const place = placeOf(view.state, paste);
  // The editor was closed meanwhile.
  if (!place) return;
  const markdown = bulletsToDashes(found?.markdown || text);
  const pictures = found?.pictures ?? { temporary: 0, lost: 0 };
  const range = rangeOfMarkdown(markdown) ?? columnOf(html, text);
  if (fillCells(view, place.from, range, { effects: forgotten(paste) })) return;
  const change =
    found && !found.isText
      ? fittingChange(view.state, place, markdown)
      : { ...place, insert: fittingText(view.state, place.from, markdown) };
  const end = change.from + change.insert.length;
  const { doc, selection } = view.state;
  const { main } = selection;
  const isWaiting = main.from === place.from && main.to === place.to;
  view.dispatch({
    changes: change,
    ...(isWaiting ? { selection: { anchor: end }, scrollIntoView: true } : {}),
    effects: cameTo(paste, { from: change.from, to: end }),
    userEvent: "input.paste",
    annotations: isolateHistory.of("full"),
  });
  // It was refused, as too long.
  if (view.state.doc.eq(doc)) return view.dispatch({ effects: forgotten(paste) });
  if (found?.isText || (found && markdown === text)) return;
  onPasted({
    as: found ? "converted" : "plain",
    pictures,
    ...(found && text !== "" ? { asText: () => putBack(view, paste, change.insert) } : {}),
  });
}

/** Puts the plain text of pastes that have not come yet in their place: the editor is about to close. */
export function finishPastes(view: EditorView): void {
  const coming = comingPastes(view.state);
  if (coming.length === 0) return;
  view.dispatch({
    changes: coming.map(([{ text }, place]) => ({ ...place, insert: fittingText(view.state, place.from, text) })),
    effects: coming.map(([paste]) => forgotten(paste)),
    userEvent: "input.paste",
    annotations: isolateHistory.of("full"),
  });
}

function putBack(view: EditorView, paste: Paste, markdown: string): boolean {
  const place = view.dom.isConnected ? placeOf(view.state, paste) : undefined;
  if (!place || view.state.sliceDoc(place.from, place.to) !== markdown) return false;
  const text = fittingText(view.state, place.from, paste.text);
  view.dispatch({
    changes: { ...place, insert: text },
    selection: { anchor: place.from + text.length },
    effects: forgotten(paste),
    scrollIntoView: true,
    userEvent: "input.paste",
    annotations: isolateHistory.of("full"),
  });
  view.focus();
  return true;
}
