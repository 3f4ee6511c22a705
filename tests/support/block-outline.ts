import { decodeEntities } from "@/lib/utils/plain-text";

/** A block of WordPress, with the HTML and the blocks that it is made of. */
type Block = { name: string; settings: Record<string, unknown>; content: (string | Block)[] };

const DELIMITER = /<!-- (\/?)wp:([a-z-]+)(?: (\{[^\n]*?\}))? -->/g;

function parseBlocks(markup: string): Block[] {
  const root: Block = { name: "", settings: {}, content: [] };
  const open = [root];
  let done = 0;
  for (const { 0: comment, 1: slash, 2: name = "", 3: json = "{}", index } of markup.matchAll(DELIMITER)) {
    const around = open.at(-1) ?? root;
    around.content.push(markup.slice(done, index));
    done = index + comment.length;
    if (slash) open.pop();
    else {
      const block = { name, settings: JSON.parse(json), content: [] };
      around.content.push(block);
      open.push(block);
    }
  }
  return blocksIn(root);
}

function blocksIn({ content }: Block): Block[] {
  return content.filter((part) => typeof part !== "string");
}

function htmlIn({ content }: Block): string {
  return content.filter((part) => typeof part === "string").join("");
}

/**
 * One line a block: its name and its words as readers see them, `⏎` for a line break, up to 60 characters. Items, cells and the
 * blocks of a quote have ` | ` or ` ¶ ` between them; the blocks inside an item stand in braces.
 */
export function outlineOf(markup: string): string[] {
  return parseBlocks(markup).map(lineOf);
}

function lineOf(block: Block): string {
  const { name, settings } = block;
  const html = htmlIn(block);
  switch (name) {
    case "heading":
      return `heading ${settings.level ?? 2}: ${wordsOf(html)}`;
    case "list":
      return `${settings.ordered ? named("numbers", settings.start) : "list"}: ${blocksIn(block).map(itemOf).join(" | ")}`;
    case "quote":
      return `quote: ${inside(block)}`;
    case "image":
      return `image: ${html.split("<figcaption").map(pictureOrCaption).join(" ¶ ")}`;
    case "code":
      return `${named("code", String(settings.className ?? "").replace("language-", ""))}: ${firstLine(html)}`;
    case "embed":
      return `embed ${settings.providerNameSlug}: ${wordsOf(html)}`;
    case "table":
      return tableOf(html);
    case "more":
      return settings.customText ? `more: ${settings.customText}` : "more";
    case "separator":
      return "separator";
    default:
      return `${name}: ${wordsOf(html)}`;
  }
}

function named(name: string, detail: unknown): string {
  return detail ? `${name} ${detail}` : name;
}

function inside(block: Block): string {
  return blocksIn(block)
    .map((inner) => (inner.name === "paragraph" ? wordsOf(htmlIn(inner)) : lineOf(inner)))
    .join(" ¶ ");
}

function itemOf(item: Block): string {
  const blocks = inside(item);
  return [wordsOf(htmlIn(item)), blocks && `{${blocks}}`].filter(Boolean).join(" ");
}

/** Rows × columns, and the cells of the first row. */
function tableOf(html: string): string {
  const rows = html.match(/<tr>.*?<\/tr>/gs) ?? [];
  const cells = [...(rows[0] ?? "").matchAll(/<t[dh][^>]*>.*?<\/t[dh]>/gs)].map(([cell]) => cell);
  const columns = cells.reduce((count, cell) => count + Number(/ colspan="(\d+)"/.exec(cell)?.[1] ?? 1), 0);
  return `table ${rows.length}×${columns}: ${cells.map(wordsOf).join(" | ")}`;
}

function pictureOrCaption(html: string, index: number): string {
  return index === 0 ? wordsOf(html).slice(1, -1) : wordsOf(`<figcaption${html}`);
}

function firstLine(html: string): string {
  const [, code = ""] = /<code>(.*?)(?:\n|<\/code>)/s.exec(html) ?? [];
  return wordsOf(code);
}

const MAX_WORDS = 60;

function wordsOf(html: string): string {
  const text = html
    .replace(/<br \/>/g, "⏎")
    .replace(/<img[^>]* alt="([^"]*)"[^>]*>/g, "[$1]")
    .replace(/<[^>]*>/g, "");
  const words = [...decodeEntities(text).replace(/\s+/g, " ").replace(/ ?⏎ ?/g, "⏎").trim()];
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).join("").trimEnd()}…` : words.join("");
}
