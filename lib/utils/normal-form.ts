/**
 * Marks that may follow each other: the limit of Unicode's Stream-Safe Text Format (UAX #15, section 13), which no
 * language comes near. Normalising puts each run in order, in time that grows with the square of its length.
 *
 * The format counts non-starters, which JavaScript cannot ask for. All of them are marks (`\p{M}`), and so are the vowel
 * signs of Indic and Thai, which are starters: real words have four of those in a row at most.
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

/** Each run of marks cut to its first 30. */
export function withoutLongRuns(value: string): string {
  if (!hasLongRun(value)) return value;
  return value.replace(/\p{M}+/gu, (run) => [...run.slice(0, 2 * MARKS_MAX)].slice(0, MARKS_MAX).join(""));
}

/** NFC, in time that grows with the length alone: a longer run of marks is left as it is. */
export function nfc(value: string): string {
  if (!/[^\0-\u02FF]/.test(value)) return value;
  let made = "";
  for (const chunk of chunksOf(value)) made += hasLongRun(chunk) ? chunk : chunk.normalize("NFC");
  return made;
}

/** UTF-16 units that are normalised at once. */
const CHUNK = 16_384;

/** A text in parts that can be normalised one by one: together they are what normalising the whole is. */
export function* chunksOf(value: string): Generator<string> {
  for (let from = 0; from < value.length; ) {
    let to = from + CHUNK;
    while (to < value.length && !isBoundary(value, to)) to++;
    yield value.slice(from, to);
    from = to;
  }
}

/**
 * Does a character begin here that nothing before it changes or joins? No mark does, and of the others only vowels and
 * finals of Hangul, and a vowel of Kirat Rai, join what stands right before them.
 */
function isBoundary(value: string, at: number): boolean {
  const code = value.codePointAt(at) ?? 0;
  if (isMark(code) || (code >= 0xdc00 && code <= 0xdfff)) return false;
  const canJoin = (code >= 0x1160 && code <= 0x11ff) || code === 0x16d67;
  return !canJoin || isMark(value.charCodeAt(at - 1));
}

const MARK = /\p{M}/u;
/** Code points looked up; the few marks beyond are asked for one by one. */
const TABLE_SIZE = 0x20000;
let table: Uint8Array | undefined;

/** Ten times as fast as the expression, which has to be asked for every character of half a million. */
function isMark(code: number): boolean {
  if (code < 0x300) return false;
  if (code >= TABLE_SIZE) return MARK.test(String.fromCodePoint(code));
  table ??= Uint8Array.from({ length: TABLE_SIZE }, (_, one) => Number(MARK.test(String.fromCodePoint(one))));
  return table[code] === 1;
}
