import { storable } from "@/lib/utils/text";

/**
 * Finds the JSON value in an answer: alone, in a code fence, or with prose around it (then the first balanced object or
 * array that parses). Linear in the length of the text for any number of stray brackets that never close.
 */
export function readJson(answer: string): { ok: true; value: unknown } | { ok: false } {
  const text = answer.slice(0, LONGEST);
  const whole = tryParse(text.trim());
  if (whole.ok) return whole;
  let from = 0;
  for (let tries = 0; tries < MAX_CANDIDATES; tries++) {
    const start = nextOpening(text, from);
    if (start === -1) return { ok: false };
    const end = balancedEnd(text, start);
    if (end !== -1) {
      const candidate = tryParse(text.slice(start, end));
      if (candidate.ok) return candidate;
    }
    from = start + 1;
  }
  return { ok: false };
}

/** Of what we ask for as JSON nothing comes near it; a provider may send five times as much. */
const LONGEST = 100_000;

// Prose may hold a bracket or two before the JSON; a text of nothing but brackets must not cost a scan for each.
const MAX_CANDIDATES = 50;

function tryParse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    // An escape such as \u0000 becomes a character only here.
    const value: unknown = JSON.parse(text, (_, member) => (typeof member === "string" ? storable(member) : member));
    return typeof value === "object" && value !== null ? { ok: true, value } : { ok: false };
  } catch {
    return { ok: false };
  }
}

function nextOpening(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/);
  return offset === -1 ? -1 : from + offset;
}

/** The index after the bracket that closes the one at `start`, or -1. Brackets inside strings do not count. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return index + 1;
  }
  return -1;
}
