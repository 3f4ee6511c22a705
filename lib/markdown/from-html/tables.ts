import type { Element } from "hast";
import type { State } from "hast-util-to-mdast";
import type { AlignType, PhrasingContent, RootContent, Table } from "mdast";
import { attribute, elementsIn, findElement, hasElement, styleOf } from "@/lib/markdown/from-html/tree";
import { isBreak, lineBreak, wordsOfBlocks } from "@/lib/markdown/from-html/words";

/**
 * A table of Markdown, its first row the heading, each cell under its column. One that only lays out a page, with one column or
 * with tables in its cells, is what is in it.
 */
export function table(state: State, node: Element): RootContent[] {
  const isLayout = /^(?:presentation|none)$/.test(attribute(node, "role"));
  const rows = isLayout || hasElement(node, ({ tagName }) => tagName === "table") ? [] : rowsOf(node);
  const grid = gridOf(rows);
  const words = new Map(rows.flat().map((cell) => [cell, wordsOfBlocks(state.all(cell), lineBreak)]));
  const isFilled = (cell: Element | undefined) => cell !== undefined && !isEmpty(words.get(cell) ?? []);
  const columns = grid.reduce((most, row) => Math.max(most, 1 + row.findLastIndex(isFilled)), 0);
  if (columns < 2) return state.toFlow(cellsOf(node).flatMap((cell) => state.toFlow(state.all(cell))));
  const height = 1 + grid.findLastIndex((row) => row.some(isFilled));
  const made: Table = {
    type: "table",
    align: Array.from({ length: columns }, (_, column) => alignmentOf(grid.map((row) => row[column]))),
    children: grid.slice(0, height).map((row) => ({
      type: "tableRow",
      children: Array.from({ length: columns }, (_, column) => {
        const cell = row[column];
        return { type: "tableCell", children: (cell && words.get(cell)) ?? [] };
      }),
    })),
  };
  const caption = findElement(node, ({ tagName }) => tagName === "caption");
  return caption ? [...state.toFlow(state.all(caption)), made] : [made];
}

function isEmpty(words: readonly PhrasingContent[]): boolean {
  return words.every((node) => isBreak(node) || (node.type === "text" && node.value.trim() === ""));
}

function cellsOf(node: Element): Element[] {
  const cells: Element[] = [];
  for (const child of node.children) {
    if (child.type !== "element") continue;
    if (/^(?:t[dh]|caption)$/.test(child.tagName)) cells.push(child);
    else if (child.tagName !== "table") cells.push(...cellsOf(child));
  }
  return cells;
}

function rowsOf(node: Element): Element[][] {
  return elementsIn(node, ({ tagName }) => tagName === "tr").map((row) =>
    row.children.filter((cell): cell is Element => cell.type === "element" && /^t[dh]$/.test(cell.tagName)),
  );
}

type Grid = (Element | undefined)[][];

/** A table whose spanning cells need more places is read without spans. */
const MAX_PLACES = 200_000;

function gridOf(rows: readonly Element[][]): Grid {
  return placed(rows) ?? rows.map((cells) => [...cells]);
}

/** Each cell where it begins; the other places that it spans are empty. */
function placed(rows: readonly Element[][]): Grid | undefined {
  const grid: Grid = rows.map(() => []);
  const taken = rows.map(() => new Set<number>());
  let places = 0;
  for (const [index, cells] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (taken[index]?.has(column)) column += 1;
      const width = spanOf(cell.properties.colSpan);
      const height = Math.min(spanOf(cell.properties.rowSpan), rows.length - index);
      places += width * height;
      if (places > MAX_PLACES) return undefined;
      for (let below = 1; below < height; below += 1)
        for (let at = column; at < column + width; at += 1) taken[index + below]?.add(at);
      const row = grid[index] ?? [];
      while (row.length < column) row.push(undefined);
      row.push(cell);
      column += width;
    }
  }
  return grid;
}

function spanOf(value: unknown): number {
  const span = Number(value);
  return Number.isInteger(span) && span > 0 ? span : 1;
}

/** The alignment that most cells below the heading have, or the heading's own. */
function alignmentOf([head, ...body]: readonly (Element | undefined)[]): AlignType {
  const counts = new Map<AlignType, number>();
  for (const cell of body) if (cell?.children.length) counts.set(alignOf(cell), (counts.get(alignOf(cell)) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  return most ?? (head ? alignOf(head) : null);
}

/** Documents align the paragraph in the cell. */
function alignOf(cell: Element): AlignType {
  const [inside] = cell.children;
  const own = attribute(cell, "align").toLowerCase() || styleOf(cell, "text-align");
  const align = own || (inside?.type === "element" ? styleOf(inside, "text-align") : "");
  return align === "left" || align === "right" || align === "center" ? align : null;
}
