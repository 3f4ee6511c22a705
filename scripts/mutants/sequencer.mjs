/** Runs the suites in the order they were named. */
export default class NamedOrderSequencer {
  sort(tests) {
    const names = JSON.parse(process.env.MUTANT_SUITES ?? "[]");
    const place = ({ path }) => names.findIndex((name) => path.includes(name));
    return [...tests].sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path));
  }

  cacheResults() {}
}
