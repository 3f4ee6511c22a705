import TurndownService from "turndown";
import { encodeBrackets } from "@/components/shared/markdown-editor/web-address";

/** Turns pasted HTML into clean Markdown: from web pages, Google Docs and Word, whose formatting is in styles. */
export function htmlToMarkdown(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const unseen of page.querySelectorAll("script, style, meta, link, title, template, noscript, svg, iframe"))
    unseen.remove();
  removeComments(page.body);
  listsOfWord(page.body);
  listsInLists(page.body);
  breaksBesideBlocks(page.body);
  formsOfStyles(page.body);
  return service().turndown(page.body).trim();
}

function service(): TurndownService {
  const made = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    strongDelimiter: "**",
  });
  made.addRule("item", { filter: "li", replacement: (content, node) => item(content, node as HTMLElement) });
  made.addRule("strikethrough", {
    filter: ["del", "s", "strike" as "del"],
    replacement: (text) => (text.trim() ? `~~${text}~~` : text),
  });
  made.addRule("table", { filter: "table", replacement: (_content, node) => table(node as HTMLTableElement, made) });
  // A picture inside the clipboard's HTML cannot be published: the address of the picture is needed.
  made.addRule("image", { filter: "img", replacement: (_content, node) => image(node as HTMLImageElement) });
  made.addRule("link", {
    filter: (node) => node.nodeName === "A" && !/^(https?|mailto):/i.test(node.getAttribute("href") ?? ""),
    replacement: (text) => text,
  });
  return made;
}

function item(content: string, node: HTMLElement): string {
  const list = node.parentElement;
  const place = list ? [...list.children].filter(({ nodeName }) => nodeName === "LI").indexOf(node) : 0;
  const start = Number(list?.getAttribute("start") ?? 1) || 1;
  const mark = list?.nodeName === "OL" ? `${start + place}. ` : "- ";
  const text = content
    .trim()
    .replace(/\n{2,}/g, "\n")
    .replace(/\n/g, `\n${" ".repeat(mark.length)}`);
  return `${mark}${text}${node.nextElementSibling ? "\n" : ""}`;
}

function image(node: HTMLImageElement): string {
  const address = node.getAttribute("src") ?? "";
  if (!/^https?:/i.test(address)) return "";
  return `![${(node.getAttribute("alt") ?? "").replace(/[[\]\n]/g, " ").trim()}](${encodeBrackets(address)})`;
}

/** A table with one cell lays out a page; any other becomes one of Markdown, its first row the heading. */
function table(node: HTMLTableElement, made: TurndownService): string {
  const rows = [...node.rows].map((row) => [...row.cells].map((cell) => cellText(cell, made)));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns < 2) return `\n\n${rows.flat().join("\n\n")}\n\n`;
  const line = (cells: string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? "").join(" | ")} |`;
  const [head = [], ...body] = rows;
  return `\n\n${[line(head), line(Array(columns).fill("---")), ...body.map(line)].join("\n")}\n\n`;
}

function cellText(cell: HTMLTableCellElement, made: TurndownService): string {
  return made
    .turndown(cell)
    .replace(/\s*\n\s*/g, " ")
    .replace(/(?<!\\)\|/g, "\\|")
    .trim();
}

function removeComments(node: Node): void {
  for (const child of [...node.childNodes]) {
    if (child.nodeType === Node.COMMENT_NODE) child.remove();
    else removeComments(child);
  }
}

/** Word writes the items of a list as paragraphs, their marks as text to leave out. */
function listsOfWord(body: HTMLElement): void {
  for (const first of [...body.querySelectorAll<HTMLElement>("p[style*='mso-list']")]) {
    if (!first.isConnected || first.nodeName !== "P" || first.parentElement?.closest("li")) continue;
    const stack: { level: number; list: HTMLElement }[] = [];
    let top: HTMLElement | null = null;
    for (let at: Element | null = first; at && isWordItem(at); ) {
      const next: Element | null = at.nextElementSibling;
      const level = Number(/level(\d+)/.exec(at.getAttribute("style") ?? "")?.[1] ?? 1);
      while ((stack.at(-1)?.level ?? 0) > level) stack.pop();
      if ((stack.at(-1)?.level ?? 0) < level) {
        const list = body.ownerDocument.createElement(isNumbered(at) ? "ol" : "ul");
        const parent = stack.at(-1)?.list.lastElementChild;
        if (parent) parent.append(list);
        else if (!top) {
          at.before(list);
          top = list;
        } else top.after(list);
        stack.push({ level, list });
      }
      const made = body.ownerDocument.createElement("li");
      for (const mark of at.querySelectorAll("[style*='mso-list:Ignore'], [style*='mso-list: Ignore']")) mark.remove();
      made.append(...at.childNodes);
      stack.at(-1)?.list.append(made);
      at.remove();
      at = next;
    }
  }
}

function isWordItem(node: Element): boolean {
  return node.nodeName === "P" && /mso-list:\s*l\d/i.test(node.getAttribute("style") ?? "");
}

function isNumbered(node: Element): boolean {
  const mark = node.querySelector("[style*='mso-list:Ignore'], [style*='mso-list: Ignore']")?.textContent ?? "";
  return /^\s*[\da-z]{1,4}[.)]/i.test(mark);
}

/** Google Docs puts a nested list beside the item that it belongs to. */
function listsInLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll("ul > ul, ul > ol, ol > ul, ol > ol")) {
    if (list.previousElementSibling?.nodeName === "LI") list.previousElementSibling.append(list);
  }
}

/** Removes breaks beside blocks, which are apart anyway. */
function breaksBesideBlocks(body: HTMLElement): void {
  const blocks = "p, div, ul, ol, table, blockquote, pre, h1, h2, h3, h4, h5, h6";
  for (const line of body.querySelectorAll("br")) {
    if (line.previousElementSibling?.matches(blocks) || line.nextElementSibling?.matches(blocks)) line.remove();
  }
}

/** Google Docs says bold and italic in styles, and wraps everything in a `b` that is not bold. */
function formsOfStyles(body: HTMLElement): void {
  for (const node of [...body.querySelectorAll<HTMLElement>("b, strong")]) {
    if (/^(normal|400)$/.test(node.style.fontWeight)) node.replaceWith(...node.childNodes);
  }
  for (const node of [...body.querySelectorAll<HTMLElement>("span[style]")]) {
    const { fontWeight, fontStyle, textDecorationLine, textDecoration } = node.style;
    const isHeading = node.closest("h1, h2, h3, h4, h5, h6") !== null;
    const forms = [
      ...(!isHeading && (fontWeight === "bold" || Number(fontWeight) >= 600) ? ["strong"] : []),
      ...(fontStyle === "italic" ? ["em"] : []),
      ...(`${textDecorationLine} ${textDecoration}`.includes("line-through") ? ["del"] : []),
    ];
    let inner: HTMLElement = node;
    for (const form of forms) {
      const wrapped = body.ownerDocument.createElement(form);
      wrapped.append(...inner.childNodes);
      inner.append(wrapped);
      inner = wrapped;
    }
  }
}
