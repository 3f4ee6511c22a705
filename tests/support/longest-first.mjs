/** Suites that take a minute and more: begun last, they would keep one worker busy after the others have ended. */
const LONGEST = ["api/hostile-input.", "api/hostile-texts."];

/** Jest's sequencer: the longest suites first, the others as they come, the largest file first. */
export default class LongestFirst {
  sort(tests) {
    const place = ({ path }) => LONGEST.findIndex((name) => path.includes(name)) + 1 || LONGEST.length + 1;
    const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;
    return [...tests].sort((a, b) => place(a) - place(b) || size(b) - size(a));
  }

  cacheResults() {}
}
