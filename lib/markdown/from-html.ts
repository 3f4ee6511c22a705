import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { parseFragment } from "parse5";
import { captionsAsTitles } from "@/lib/markdown/from-html/captions";
import { plainCode } from "@/lib/markdown/from-html/code";
import { withoutEmptyMarks } from "@/lib/markdown/from-html/empty-marks";
import { singleFormulas } from "@/lib/markdown/from-html/formulas";
import { properLists } from "@/lib/markdown/from-html/lists";
import { readableLinks, readablePictures } from "@/lib/markdown/from-html/pictures";
import { wrapsSource } from "@/lib/markdown/from-html/source";
import { marksOfStyles } from "@/lib/markdown/from-html/styles";
import { tidy } from "@/lib/markdown/from-html/tidy";
import { toTree } from "@/lib/markdown/from-html/to-tree";
import { removeButtons, removeUnseen } from "@/lib/markdown/from-html/unseen";
import { listsOfWord } from "@/lib/markdown/from-html/word";
import { write } from "@/lib/markdown/from-html/write";

export type FromHtml = {
  markdown: string;
  /** True if the HTML only wrapped Markdown source, so that `markdown` is the plain text. */
  isText: boolean;
  /** Pictures that were kept but whose address will not last, and pictures without an address, which were left out. */
  pictures: { temporary: number; lost: number };
};

/**
 * The Markdown that a clipboard's HTML stands for, or the clipboard's plain text where the HTML only wraps the source of
 * Markdown. Needs no DOM, so that it can run in a worker. Throws a RangeError where elements are nested too deep.
 */
export function fromHtml(html: string, text: string): FromHtml {
  const root = fromParse5(parseFragment(html.replace(HALF, "\ufffd"), { scriptingEnabled: false })) as Root;
  singleFormulas(root);
  removeUnseen(root);
  if (wrapsSource(root, text))
    return { markdown: text.replace(/\r\n?/g, "\n"), isText: true, pictures: { temporary: 0, lost: 0 } };
  plainCode(root);
  removeButtons(root);
  listsOfWord(root);
  properLists(root);
  marksOfStyles(root);
  const pictures = readablePictures(root);
  readableLinks(root);
  captionsAsTitles(root);
  withoutEmptyMarks(root);
  const tree = toTree(root);
  tidy(tree);
  return { markdown: write(tree), isText: false, pictures };
}

/** Half of a character, which the parser does not take. */
const HALF = /[\ud800-\udfff]/gu;
