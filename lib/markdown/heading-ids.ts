import GithubSlugger from "github-slugger";
import type { Element, ElementContent } from "hast";
import { textOf } from "@/lib/markdown/nodes";

/**
 * Gives an id to the headings that a link of the text names: the one written behind it as `{#id}`, which is no part of its
 * words, or else GitHub's. `leadsNowhere` is called with each link to a heading that does not exist.
 */
export function addHeadingIds(nodes: readonly ElementContent[], leadsNowhere: (fragment: string) => void): void {
  const headings: Element[] = [];
  const named = new Map<string, string>();
  const look = (node: ElementContent) => {
    if (node.type !== "element") return;
    const { href } = node.properties;
    if (/^h[1-6]$/.test(node.tagName)) headings.push(node);
    if (node.tagName === "a" && typeof href === "string" && href.startsWith("#"))
      named.set(decoded(href.slice(1)), href);
    for (const child of node.children) look(child);
  };
  for (const node of nodes) look(node);
  const slugger = new GithubSlugger();
  for (const heading of headings) {
    const id = takeOwnId(heading) ?? slugger.slug(textOf(heading));
    if (named.has(id)) heading.properties.id = id;
    named.delete(id);
  }
  for (const [id, href] of named) if (id !== "" && id !== "top") leadsNowhere(href);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function takeOwnId({ children }: Element): string | undefined {
  const last = children.at(-1);
  if (last?.type !== "text") return undefined;
  const [found, id] = /(?:^|[ \t])\{#(\p{L}[\p{L}\p{M}\p{N}_:.-]{0,99})\}[ \t]*$/u.exec(last.value.slice(-200)) ?? [];
  if (found === undefined) return undefined;
  last.value = last.value.slice(0, -found.length).trimEnd();
  return id;
}
