/** Chromium takes quadratic time with `auto`: 13 seconds for 50,000 lines. */
const MAX_LINES = 2_000;

/** "auto" is per line; a text with too many lines gets the direction of its first letter. */
export function textDirection(text: string): "auto" | "ltr" | "rtl" {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1 && lines <= MAX_LINES; at = text.indexOf("\n", at + 1)) lines += 1;
  if (lines <= MAX_LINES) return "auto";
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
