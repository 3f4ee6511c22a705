const [QUOTE, BACKSLASH] = [34, 92];
/** Each of them begins a value. */
const [COMMA, BRACKET, BRACE] = [44, 91, 123];

/**
 * Has this JSON more values than `most`? Reading four megabytes of `{}` takes half a second and 200 MB, of text next to
 * nothing; counting takes a few milliseconds.
 */
export function hasMoreValues(json: string, most: number): boolean {
  let values = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isInString && code === BACKSLASH) at++;
    else if (code === QUOTE) isInString = !isInString;
    else if (isInString || (code !== COMMA && code !== BRACKET && code !== BRACE)) continue;
    else if (++values > most) return true;
  }
  return false;
}
