/** Suites of half a minute and more: started last, they would keep one worker busy after the others are done. */
const LONGEST = ["api/hostile-input.", "api/hostile-texts.", "api/known-browsers.", "api/scripts/gets-up-again."];

/** Runs the longest suites first, then the others by file size. */
export default class LongestFirst {
  sort(tests) {
    const place = ({ path }) => LONGEST.findIndex((name) => path.includes(name)) + 1 || LONGEST.length + 1;
    const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;
    return [...tests].sort((a, b) => place(a) - place(b) || size(b) - size(a));
  }

  cacheResults() {}
}
