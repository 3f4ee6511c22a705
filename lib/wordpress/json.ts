import { hasMoreValues } from "@/lib/utils/json-values";

/**
 * The JSON in an answer, even when a byte order mark or the notices of a plugin stand around it; undefined when there is none.
 * A whole page of HTML has none, whatever its scripts contain.
 */
export function readJson(text: string): unknown {
  const body = text.replace(/^\uFEFF/, "").trim();
  if (/^<(?:!doctype|html|head|body|!--)/i.test(body)) return undefined;
  return parse(body) ?? longestInside(body);
}

/** Three times the longest answer that is read: a broken one must not be read again from each of its brackets. */
const MOST_READ = 24_000_000;
/** Of one answer, by far more than a page of categories or the index of a site has. */
const MOST_VALUES = 200_000;

/** WordPress answers with an object or a list of objects. */
const OPENING = /\{"|\[\{"|\[\]|\{\}/g;
const MOST_OPENINGS = 20;

/** The longest wins: notices have brackets of their own. */
function longestInside(body: string): unknown {
  let longest = "";
  let found: unknown;
  let seen = 0;
  let read = body.length;
  for (const { index } of body.matchAll(OPENING)) {
    if (++seen > MOST_OPENINGS || body.length - index <= longest.length) break;
    const closing = body[index] === "{" ? "}" : "]";
    const candidate = body.slice(index, body.lastIndexOf(closing) + 1);
    read += candidate.length;
    if (read > MOST_READ) break;
    const parsed = candidate.length > longest.length ? parse(candidate) : undefined;
    if (parsed === undefined) continue;
    longest = candidate;
    found = parsed;
  }
  return found;
}

/** Objects and lists alone: a bare number in a notice is no answer. */
function parse(text: string): unknown {
  if (!/^[{[]/.test(text) || hasMoreValues(text, MOST_VALUES)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
