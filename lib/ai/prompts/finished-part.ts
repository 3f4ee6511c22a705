const ENDS = /[.!?…。！？\n]/;
const CLOSES = /["”’»)\]*_」』]/;

/** A text that was cut off, up to its last whole sentence or line. */
export function finishedPart(text: string): string {
  for (let at = text.length - 1; at >= 0; at--) {
    if (!ENDS.test(text[at] ?? "")) continue;
    let end = at + 1;
    while (CLOSES.test(text[end] ?? "")) end++;
    return text.slice(0, end).trim();
  }
  return "";
}
