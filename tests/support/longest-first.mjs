import { readFileSync } from "node:fs";

/** Started last, they would keep one worker busy after the others are done. */
const SLOW = Object.keys(JSON.parse(readFileSync(new URL("../slow.json", import.meta.url), "utf8")));

/** Runs the slow suites first, then the others by file size. */
export default class LongestFirst {
  sort(tests) {
    const isSlow = ({ path }) => SLOW.some((name) => path.endsWith(name));
    const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;
    return [...tests].sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || size(b) - size(a));
  }

  cacheResults() {}
}
