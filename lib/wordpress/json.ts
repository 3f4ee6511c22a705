/**
 * The JSON in an answer, even when a byte order mark or the notices of a plugin stand around it; undefined when there is none.
 * A whole page of HTML has none, whatever its scripts contain.
 */
export function readJson(text: string): unknown {
  const body = text.replace(/^\uFEFF/, "").trim();
  if (/^<(?:!doctype|html|head|body|!--)/i.test(body)) return undefined;
  const whole = parse(body);
  if (whole !== undefined) return whole;
  for (const start of openings(body)) {
    const closing = body[start] === "{" ? "}" : "]";
    const found = parse(body.slice(start)) ?? parse(body.slice(start, body.lastIndexOf(closing) + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

const MOST_OPENINGS = 20;

function openings(body: string): number[] {
  const places: number[] = [];
  for (let at = body.search(/[{[]/); at >= 0 && places.length < MOST_OPENINGS; ) {
    places.push(at);
    const next = body.slice(at + 1).search(/[{[]/);
    at = next < 0 ? -1 : at + 1 + next;
  }
  return places;
}

/** Objects and lists alone: a bare number in a notice is no answer. */
function parse(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
