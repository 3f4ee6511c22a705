import { formsOf } from "@/lib/features/content/seo/keyword";
import { languageNamed, languageOfText, nameOfLanguage } from "@/lib/features/content/seo/language";
import { isHeading, type Link, type Material, type Place, type Reviewed } from "@/lib/features/content/seo/material";
import { counted } from "@/lib/features/content/seo/wording";
import type { Loss } from "@/lib/markdown/losses";
import { FUNCTION_WORDS } from "@/lib/utils/function-words";
import { sourceMarks } from "@/lib/utils/source-marks";
import { comparedWords, fingerprint, isBlank } from "@/lib/utils/text";

/** Something that may be unfinished. `holds`: a first publish waits for the user's word. `place`: null outside the body. */
export type Finding = { kind: FindingKind; sentence: string; place: Place | null; holds: boolean };

export type FindingKind =
  | "sourceNeeded"
  | "emptyHeading"
  | "link"
  | "alternative"
  | "loss"
  | "description"
  | "sameTitle"
  | "sameKeyword"
  | "outline"
  | "end"
  | "language";

/** Findings of one kind that are listed. */
const MOST = 100;

/** What may be unfinished in a piece, in the order in which it matters: what holds comes first. */
export function findingsOf(piece: Reviewed, material: Material, losses: Loss[]): Finding[] {
  if (isBlank(piece.body)) return [];
  return [
    ...sourcesNeeded(piece),
    ...emptyHeadings(material),
    ...losses.map(({ sentence, position }) => informs("loss", sentence, { from: position, to: position })),
    ...wrongLinks(material),
    ...alternatives(material),
    ...cutEnd(material, losses),
    ...outlineLeft(piece, material),
    ...language(piece),
    ...fields(piece, material),
  ];
}

function informs(kind: FindingKind, sentence: string, place: Place | null = null): Finding {
  return { kind, sentence, place, holds: false };
}

function sourcesNeeded({ body }: Reviewed): Finding[] {
  return sourceMarks(body)
    .slice(0, MOST)
    .map(({ from, to, claim }) => ({
      kind: "sourceNeeded",
      sentence: claim === "" ? "A claim needs a source." : `A claim needs a source: ${short(claim)}.`,
      place: { from, to },
      holds: true,
    }));
}

function emptyHeadings({ blocks }: Material): Finding[] {
  return blocks
    .filter(isHeading)
    .flatMap(({ text, from, to }) =>
      text === ""
        ? [{ kind: "emptyHeading" as const, sentence: "A heading has no words.", place: { from, to }, holds: true }]
        : [],
    );
}

/** Links without words or an address, and addresses that no server has. */
function wrongLinks({ links }: Material): Finding[] {
  return links
    .flatMap((link) => {
      const sentence = problemOfLink(link);
      return sentence ? [informs("link", sentence, link)] : [];
    })
    .slice(0, MOST);
}

function problemOfLink({ address, text }: Link): string | null {
  if (address.trim() === "") return `The link “${short(text)}” has no address.`;
  if (/^https?:/i.test(address) && !hasHost(address)) return `The address ${short(address)} is not a whole one.`;
  if (/^(?:www\.|[a-z0-9-]+\.(?:com|org|net|de|io|co)(?:\/|$))/i.test(address))
    return `The address ${short(address)} lacks “https://”, so it leads to a page of your own site.`;
  return null;
}

function hasHost(address: string): boolean {
  try {
    const { hostname } = new URL(address);
    return hostname.includes(".") || hostname === "localhost" || hostname.startsWith("[");
  } catch {
    return false;
  }
}

function alternatives({ pictures }: Material): Finding[] {
  return pictures
    .filter(({ alternative }) => alternative === "")
    .slice(0, MOST)
    .map(({ address, ...place }) =>
      informs("alternative", `The picture ${short(nameOf(address))} has no alternative text.`, place),
    );
}

function nameOf(address: string): string {
  return address.split(/[?#]/)[0]?.split("/").at(-1) || address;
}

/** What a sentence, a list item or a caption may end with. */
const ENDED = /[.!?…:;。！？：；」』”’"'»›)\]）।؟۔*_`\d]$/u;
/** A shorter last paragraph may be a signature or a caption. */
const LONG_PARAGRAPH = 12;

/** A last paragraph that breaks off. What the AI provider left unfinished is among the losses. */
function cutEnd({ blocks }: Material, losses: Loss[]): Finding[] {
  const last = blocks.at(-1);
  if (!last || losses.some(({ kind }) => kind === "unfinished")) return [];
  if (isHeading(last)) return last.text === "" ? [] : [informs("end", "The text ends with a heading.", last)];
  if (last.words < LONG_PARAGRAPH || ENDED.test(last.text)) return [];
  return [informs("end", "The text may break off: its last sentence has no end.", last)];
}

/** Sections of the outline of which no heading and no paragraph has half the words. */
function outlineLeft({ outline, language, title }: Reviewed, { blocks }: Material): Finding[] {
  const sections = [...(outline ?? "").matchAll(/^##[ \t]+(.+?)[ \t#]*$/gm)].map(([, words = ""]) => words.trim());
  if (sections.length === 0) return [];
  const stemOf = formsOf(languageNamed(language ?? "") ?? languageOfText(`${title}\n${outline}`));
  const stemsOf = (text: string) => new Set(comparedWords(text).map(stemOf));
  const having = blocks.map(({ text }) => stemsOf(text));
  return sections.slice(0, MOST).flatMap((section) => {
    const all = [...stemsOf(section)];
    const content = all.filter((word) => !FUNCTION_WORDS.has(word));
    const words = content.length > 0 ? content : all;
    const isKept = having.some((stems) => words.filter((word) => stems.has(word)).length * 2 >= words.length);
    return isKept ? [] : [informs("outline", `The outline has “${short(section)}”, and the text does not.`)];
  });
}

function language({ language: project, body }: Reviewed): Finding[] {
  const [wanted, found] = [languageNamed(project ?? ""), languageOfText(body)];
  if (!wanted || !found || wanted === found) return [];
  return [
    informs(
      "language",
      `The text is in ${nameOfLanguage(found)}, and the project's language is ${nameOfLanguage(wanted)}.`,
    ),
  ];
}

function fields({ title, others: known }: Reviewed, { keyword, metaDescription }: Material): Finding[] {
  const others = known ?? [];
  const found: Finding[] = [];
  if (metaDescription === "") found.push(informs("description", "There is no meta description."));
  const print = fingerprint(title);
  const sameTitle = others.filter((other) => print !== "" && fingerprint(other.title) === print).length;
  if (sameTitle > 0)
    found.push(
      informs(
        "sameTitle",
        `${counted(sameTitle, "other piece")} of the project ${sameTitle === 1 ? "has" : "have"} the same title.`,
      ),
    );
  const rival = others.find(({ focusKeyword }) => focusKeyword !== null && keyword?.isSameAs(focusKeyword));
  if (rival) found.push(informs("sameKeyword", `“${short(rival.title)}” has the same focus keyword.`));
  return found;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}
