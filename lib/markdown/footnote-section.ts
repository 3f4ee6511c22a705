import type { Element, ElementContent } from "hast";
import type { Token } from "markdown-it";
import { element, separated, text } from "@/lib/markdown/nodes";
import { encodeUrl } from "@/lib/markdown/parser";

export type Footnotes = ReturnType<typeof collectFootnotes>;

type Reference = { label: string; link: Element };
type Definition = { children: ElementContent[]; references: Reference[] };

/**
 * Collects the footnotes of one text, numbered in reading order: references in the text, then those within notes.
 * Unreferenced notes are dropped.
 */
export function collectFootnotes() {
  const definitions = new Map<string, Definition>();
  const ofText: Reference[] = [];
  const open: Reference[][] = [ofText];
  const written = new Map<string, { label: string; line: number }[]>();
  const used = new Set<string>();

  return {
    /** References belong to a note until `end`. */
    begin() {
      open.push([]);
    },

    /** The notes that nothing refers to, and those after the first of one label, with their lines. */
    unused(): { label: string; line: number }[] {
      return [...written].flatMap(([label, all]) => (used.has(label) ? all.slice(1) : all));
    },

    /** The first of two notes with one label wins. */
    end({ meta, map }: Token, children: ElementContent[]) {
      const references = open.pop() ?? [];
      const label = String(meta?.label);
      const all = written.get(label) ?? [];
      written.set(label, all);
      all.push({ label: String(meta?.written), line: map?.[0] ?? 0 });
      if (!definitions.has(label)) definitions.set(label, { children, references });
    },

    /** `section` fills in its number. */
    reference(label: string): Element {
      const link = element("a");
      open.at(-1)?.push({ label, link });
      return element("sup", {}, [link]);
    },

    section(): Element[] {
      const notes = numbered(ofText, definitions);
      for (const { label } of notes) used.add(label);
      const items = notes.flatMap((note) => (note.definition ? item(note, note.definition) : []));
      if (items.length === 0) return [];
      const heading = element("h2", { className: ["sr-only"], id: "footnote-label" }, [text("Footnotes")]);
      const list = element("ol", {}, separated(items, "around"));
      const children = [heading, text("\n"), list, text("\n")];
      return [element("section", { dataFootnotes: true, className: ["footnotes"] }, children)];
    },
  };
}

type Note = { label: string; number: number; references: number; definition: Definition | undefined };

/** Numbers the references and returns the notes in order. */
function numbered(ofText: Reference[], definitions: ReadonlyMap<string, Definition>): Note[] {
  const notes = new Map<string, Note>();
  const refer = ({ label, link }: Reference) => {
    const note = notes.get(label) ?? {
      label,
      number: notes.size + 1,
      references: 0,
      definition: definitions.get(label),
    };
    notes.set(label, note);
    note.references += 1;
    link.children = [text(String(note.number))];
    link.properties = {
      href: `#user-content-fn-${idOf(note)}`,
      id: `user-content-fnref-${idOf(note)}${suffix(note.references)}`,
      dataFootnoteRef: true,
      ariaDescribedBy: ["footnote-label"],
    };
  };
  for (const reference of ofText) refer(reference);
  // Iterating a Map includes entries added meanwhile: notes that only notes refer to.
  for (const { definition } of notes.values()) for (const reference of definition?.references ?? []) refer(reference);
  return [...notes.values()];
}

function item(note: Note, { children }: Definition): Element {
  const last = children.at(-1);
  const paragraph = last?.type === "element" && last.tagName === "p" ? last.children : children;
  if (paragraph !== children) paragraph.push(text(" "));
  for (let count = 1; count <= note.references; count += 1) {
    if (count > 1) paragraph.push(text(" "));
    paragraph.push(backReference(note, count));
  }
  return element("li", { id: `user-content-fn-${idOf(note)}` }, separated(children, "around"));
}

function backReference(note: Note, count: number): Element {
  const properties = {
    href: `#user-content-fnref-${idOf(note)}${suffix(count)}`,
    dataFootnoteBackref: "",
    ariaLabel: `Back to reference ${note.number}${suffix(count)}`,
    className: ["data-footnote-backref"],
  };
  const again = count > 1 ? [element("sup", {}, [text(String(count))])] : [];
  return element("a", properties, [text("↩"), ...again]);
}

function idOf({ label }: Note): string {
  return encodeUrl(label.toLowerCase());
}

function suffix(count: number): string {
  return count > 1 ? `-${count}` : "";
}
