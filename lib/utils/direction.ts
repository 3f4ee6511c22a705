/** Each line of a longer text would cost the browser a look at all the others: 13 seconds at 50,000 lines, measured in Chromium. */
const MOST_LINES = 2_000;

/** The direction of a field for long texts: each line its own, unless there are very many; then that of the first letter. */
export function directionOf(text: string): "auto" | "ltr" | "rtl" {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1 && lines <= MOST_LINES; at = text.indexOf("\n", at + 1)) lines += 1;
  if (lines <= MOST_LINES) return "auto";
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
