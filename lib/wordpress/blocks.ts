import type { Element, ElementContent, Root } from "hast";
import { embedProviderOf } from "@/lib/markdown/embeds";
import { isSpace, textOf } from "@/lib/markdown/nodes";
import { markdownToHast } from "@/lib/markdown/render";
import { attributes, codeText, type InlineNode, inlineHtml } from "@/lib/wordpress/inline-html";

/** Block markup that the WordPress editor accepts as valid and WordPress returns unchanged. */
export function renderPost(markdown: string, title?: string): string {
  return hastToBlocks(markdownToHast(markdown, title));
}

export function hastToBlocks(tree: Root): string {
  return blocks(tree.children);
}

/** Inline nodes between blocks become paragraphs. */
function blocks(nodes: readonly InlineNode[]): string {
  const out: string[] = [];
  let run: InlineNode[] = [];
  const endRun = () => {
    out.push(...paragraphs(run));
    run = [];
  };
  for (const node of nodes) {
    if (node.type === "element" && isBlock(node)) {
      endRun();
      out.push(...blocksOf(node));
    } else {
      run.push(node);
    }
  }
  endRun();
  return out.join("\n\n");
}

const BLOCK_TAGS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table figure div section article details summary dl dt dd".split(" "),
);

function isBlock(node: Element): boolean {
  return BLOCK_TAGS.has(node.tagName);
}

function blocksOf(node: Element): string[] {
  switch (node.tagName) {
    case "p":
      return paragraphs(node.children);
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return heading(node);
    case "ul":
    case "ol":
      return [list(node)];
    case "blockquote":
      return quote(node);
    case "pre":
      return [code(node)];
    case "hr":
      return [typeof node.properties.dataMore === "string" ? more(node.properties.dataMore) : SEPARATOR];
    case "figure":
      return "dataEmbed" in node.properties ? embed(node) : captionedImage(node);
    case "table":
      return [table(node)];
    case "section":
      return "dataFootnotes" in node.properties ? footnotes(node) : [blocks(node.children)].filter(Boolean);
    default:
      return [blocks(node.children)].filter(Boolean);
  }
}

const SEPARATOR = block("separator", {}, '<hr class="wp-block-separator has-alpha-channel-opacity" />');

/** A paragraph of only images becomes one image block each. */
function paragraphs(nodes: readonly InlineNode[]): string[] {
  const images = nodes.map((node) => imageBlock(node));
  const content = nodes.filter((node, index) => images[index] === null && !isSpace(node));
  if (content.length === 0) return images.filter((image) => image !== null);
  const html = inlineHtml(nodes).trim();
  return html === "" ? [] : [block("paragraph", {}, `<p>${html}</p>`)];
}

function imageBlock(node: InlineNode, caption = ""): string | null {
  if (node.type !== "element") return null;
  const below = captionHtml(caption);
  if (node.tagName === "img") {
    return block("image", {}, `<figure class="wp-block-image">${inlineHtml([node])}${below}</figure>`);
  }
  const [only] = node.children;
  if (node.tagName === "a" && node.children.length === 1 && only?.type === "element" && only.tagName === "img") {
    if (!node.properties.href) return null;
    const linked = `<a${attributes({ href: node.properties.href })}>${inlineHtml([only])}</a>`;
    return block("image", { linkDestination: "custom" }, `<figure class="wp-block-image">${linked}${below}</figure>`);
  }
  return null;
}

function captionedImage({ children: [picture, caption] }: Element): string[] {
  const image = picture && imageBlock(withoutDeadLink(picture), caption ? inlineHtml([caption]) : "");
  return image ? [image] : [];
}

/** A link that lost its address leaves what it is around. */
function withoutDeadLink(node: ElementContent): ElementContent {
  const [only] = node.type === "element" && node.tagName === "a" && !node.properties.href ? node.children : [];
  return only ?? node;
}

function captionHtml(html: string): string {
  return html && `<figcaption class="wp-element-caption">${html}</figcaption>`;
}

function more(customText: string): string {
  const words = customText.replaceAll("--", "—");
  return block("more", words === "" ? {} : { customText: words }, `<!--more${words === "" ? "" : ` ${words}`}-->`);
}

/**
 * As the block editor writes it once it has asked the service. The address stands on a line of its own, encoded in both places:
 * WordPress encodes it in the settings too when an author saves.
 */
function embed(node: Element): string[] {
  const [link] = elements(node, "a");
  const url = String(link?.properties.href ?? "");
  const provider = embedProviderOf(url);
  if (!provider) return [];
  const { type, slug, isWide = false } = provider;
  const className = "wp-embed-aspect-16-9 wp-has-aspect-ratio";
  const html = inlineHtml([{ type: "text", value: url }]);
  const settings = { url: html, type, providerNameSlug: slug, responsive: true, ...(isWide && { className }) };
  const classes = [
    "wp-block-embed",
    `is-type-${type}`,
    `is-provider-${slug}`,
    `wp-block-embed-${slug}`,
    ...(isWide ? [className] : []),
  ];
  const wrapper = `<div class="wp-block-embed__wrapper">\n${html}\n</div>`;
  return [block("embed", settings, `<figure class="${classes.join(" ")}">${wrapper}</figure>`)];
}

function heading(node: Element): string[] {
  const html = inlineHtml(node.children).trim();
  if (html === "") return [];
  const level = Number(node.tagName.slice(1));
  // Level 2 is the default, which WordPress omits.
  const settings = level === 2 ? {} : { level };
  const id = attributes({ id: node.properties.id });
  return [block("heading", settings, `<h${level} class="wp-block-heading"${id}>${html}</h${level}>`)];
}

function list(node: Element): string {
  const ordered = node.tagName === "ol";
  const { start } = node.properties;
  const settings = ordered ? { ordered: true, ...(typeof start === "number" && start !== 1 ? { start } : {}) } : {};
  const items = elements(node, "li").map(listItem).join("\n\n");
  const startAttribute = "start" in settings ? attributes({ start }) : "";
  return block("list", settings, `<${node.tagName}${startAttribute} class="wp-block-list">${items}</${node.tagName}>`);
}

/** An item is a line, then blocks: paragraphs before the first block join the line, later ones are blocks. */
function listItem(node: Element): string {
  const lines: string[] = [];
  const rest: InlineNode[] = [];
  let run: InlineNode[] = [];
  const endRun = () => {
    const line = inlineHtml(run).trim();
    if (line !== "") lines.push(line);
    run = [];
  };
  for (const child of node.children) {
    const isParagraph = child.type === "element" && child.tagName === "p";
    if (rest.length > 0 || (child.type === "element" && isBlock(child) && !isParagraph)) {
      rest.push(child);
    } else if (isParagraph) {
      endRun();
      run = [...child.children];
      endRun();
    } else {
      run.push(child);
    }
  }
  endRun();
  return block("list-item", {}, `<li>${lines.join("<br /><br />")}${blocks(rest)}</li>`);
}

function quote(node: Element): string[] {
  const inner = blocks(node.children);
  return inner === "" ? [] : [block("quote", {}, `<blockquote class="wp-block-quote">${inner}</blockquote>`)];
}

/** Highlighters look for the language in a class. */
function code(node: Element): string {
  const [inner] = elements(node, "code");
  const text = textOf(inner ?? node).replace(/\n$/, "");
  const className = classNames(inner).find((name) => /^language-[\w+#.-]{1,40}$/.test(name));
  const classes = ["wp-block-code", className].filter(Boolean).join(" ");
  const html = codeText(text).split("\n").map(withoutEmbed).join("\n");
  return block("code", className ? { className } : {}, `<pre class="${classes}"><code>${html}</code></pre>`);
}

/** WordPress would turn a line of only a URL into an embed. */
function withoutEmbed(line: string): string {
  return line.replace(/^(\s*https?:)\/\/(?=[^\s<>"]+\s*$)/, "$1&#047;&#047;");
}

function classNames(node: Element | undefined): string[] {
  const value = node?.properties.className;
  return Array.isArray(value) ? value.map(String) : [];
}

function table(node: Element): string {
  const sections = ["thead", "tbody", "tfoot"].map((tag) => {
    const rows = elements(node, tag).flatMap((section) => elements(section, "tr"));
    return rows.length === 0 ? "" : `<${tag}>${rows.map(tableRow).join("")}</${tag}>`;
  });
  const [caption = ""] = elements(node, "caption").map(({ children }) => inlineHtml(children).trim());
  // Class and setting go together: one alone is an invalid block.
  const html = `<table class="has-fixed-layout">${sections.join("")}</table>${captionHtml(caption)}`;
  return block("table", { hasFixedLayout: true }, `<figure class="wp-block-table">${html}</figure>`);
}

function tableRow(row: Element): string {
  const cells = row.children.filter((cell) => cell.type === "element").map(tableCell);
  return `<tr>${cells.join("")}</tr>`;
}

function tableCell(cell: Element): string {
  const { align, colSpan: colspan, rowSpan: rowspan } = cell.properties;
  const aligned = align ? { class: `has-text-align-${align}`, "data-align": align } : {};
  return `<${cell.tagName}${attributes({ ...aligned, colspan, rowspan })}>${inlineHtml(cell.children).trim()}</${cell.tagName}>`;
}

/** They are numbered as in the text: WordPress' own footnotes live in a field that clients cannot set. */
function footnotes(section: Element): string[] {
  return [SEPARATOR, ...elements(section, "ol").map(list)];
}

function elements(node: Element, tagName: string): Element[] {
  return node.children.filter((child): child is Element => child.type === "element" && child.tagName === tagName);
}

/** The settings are JSON in an HTML comment, escaped as WordPress does it. */
function block(name: string, settings: Record<string, unknown>, html: string): string {
  const json =
    Object.keys(settings).length > 0 ? `${JSON.stringify(settings).replace(UNSAFE_IN_COMMENT, escaped)} ` : "";
  return `<!-- wp:${name} ${json}-->\n${html}\n<!-- /wp:${name} -->`;
}

const UNSAFE_IN_COMMENT = /--|[<>&]/g;

function escaped(characters: string): string {
  return [...characters].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}
