import { hasMoreJsonValues } from "@/lib/utils/json-values";

/**
 * Finds the JSON in a response, even with a byte order mark or a plugin's notices around it. Undefined when there is
 * none; a whole HTML page has none, whatever its scripts contain.
 */
export function readJson(text: string): unknown {
  const body = text.replace(/^\uFEFF/, "").trim();
  if (/^<(?:!doctype|html|head|body|!--)/i.test(body)) return undefined;
  return parse(body) ?? longestInside(body);
}

/** Three times the longest response: a broken one must not be read again from each bracket. */
const MAX_READ = 24_000_000;
/** Far more than a page of categories or a site's index has. */
const MAX_VALUES = 200_000;

/** WordPress sends an object or a list of objects. */
const OPENING = /\{"|\[\{"|\[\]|\{\}/g;
const MAX_OPENINGS = 20;

/** The longest wins: notices have brackets too. */
function longestInside(body: string): unknown {
  let longest = "";
  let found: unknown;
  let seen = 0;
  let read = body.length;
  for (const { index } of body.matchAll(OPENING)) {
    if (++seen > MAX_OPENINGS || body.length - index <= longest.length) break;
    const closing = body[index] === "{" ? "}" : "]";
    const candidate = body.slice(index, body.lastIndexOf(closing) + 1);
    read += candidate.length;
    if (read > MAX_READ) break;
    const parsed = candidate.length > longest.length ? parse(candidate) : undefined;
    if (parsed === undefined) continue;
    longest = candidate;
    found = parsed;
  }
  return found;
}

/** Parses objects and lists only: a bare number in a notice is no answer. */
function parse(text: string): unknown {
  if (!/^[{[]/.test(text) || hasMoreJsonValues(text, MAX_VALUES)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
