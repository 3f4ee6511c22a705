import path from "node:path";

/** Returns the one argument of `npm run backup` and `npm run restore`, relative to where npm was called, not the checkout. */
export function chosenFile(words: string[], command: string): string {
  const [file, ...more] = words;
  if (!file || more.length > 0) throw new Error(`Name the file: npm run ${command} -- planner.backup`);
  return path.resolve(process.env.INIT_CWD ?? ".", file);
}
