/**
 * The longest run of marks: Unicode's Stream-Safe Text Format (UAX #15, section 13), far beyond any language.
 * Normalising sorts each run in quadratic time.
 *
 * The format counts non-starters, which JavaScript cannot query. All of them are marks (`\p{M}`); so are Indic and Thai
 * vowel signs, which are starters but never more than four in a row.
 */
export const MARKS_MAX = 30;

export function hasLongRun(value: string): boolean {
  let run = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    run = isMark(code) ? run + 1 : 0;
    if (run > MARKS_MAX) return true;
  }
  return false;
}

/** Cuts each run of marks to its first 30. */
export function withoutLongRuns(value: string): string {
  if (!hasLongRun(value)) return value;
  return value.replace(/\p{M}+/gu, (run) => [...run.slice(0, 2 * MARKS_MAX)].slice(0, MARKS_MAX).join(""));
}

/** NFC in linear time: longer runs of marks stay as they are. */
export function nfc(value: string): string {
  if (!/[^\0-\u02FF]/.test(value)) return value;
  let made = "";
  for (const chunk of chunksOf(value)) made += hasLongRun(chunk) ? chunk : chunk.normalize("NFC");
  return made;
}

/** The length of a chunk in UTF-16 units. */
const CHUNK = 16_384;

/** Splits a text where normalising the parts equals normalising the whole. */
export function* chunksOf(value: string): Generator<string> {
  for (let from = 0; from < value.length; ) {
    let to = from + CHUNK;
    while (to < value.length && !isBoundary(value, to)) to++;
    yield value.slice(from, to);
    from = to;
  }
}

/**
 * True when nothing before this character can change or join it. Marks join, and of the others only vowels and finals
 * of Hangul and a vowel of Kirat Rai.
 */
function isBoundary(value: string, at: number): boolean {
  const code = value.codePointAt(at) ?? 0;
  if (isMark(code) || (code >= 0xdc00 && code <= 0xdfff)) return false;
  const canJoin = (code >= 0x1160 && code <= 0x11ff) || code === 0x16d67;
  return !canJoin || isMark(value.charCodeAt(at - 1));
}

const MARK = /\p{M}/u;
/** Code points in the table; the few marks beyond are tested one by one. */
const TABLE_SIZE = 0x20000;
let table: Uint8Array | undefined;

/** This is ten times faster than the expression, for up to half a million characters. */
function isMark(code: number): boolean {
  if (code < 0x300) return false;
  if (code >= TABLE_SIZE) return MARK.test(String.fromCodePoint(code));
  table ??= Uint8Array.from({ length: TABLE_SIZE }, (_, one) => Number(MARK.test(String.fromCodePoint(one))));
  return table[code] === 1;
}
