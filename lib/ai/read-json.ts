import { storable } from "@/lib/utils/text";

/**
 * Finds JSON in an answer: alone, in a code fence, or within prose (the first balanced object or array that parses).
 * Linear time, however many brackets never close.
 */
export function readJson(answer: string): { ok: true; value: unknown } | { ok: false } {
  const text = answer.slice(0, MAX_LENGTH);
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

/** Far beyond any JSON we request. */
const MAX_LENGTH = 100_000;

// Prose may hold stray brackets, but each costs a scan.
const MAX_CANDIDATES = 50;

function tryParse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    // Escapes such as \u0000 become characters only here.
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

/** The index after the matching bracket, or -1; skips strings. */
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
