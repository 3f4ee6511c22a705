/** Jest's sequencer for mutants: suites run in the order in which they were named. */
export default class NamedOrder {
  sort(tests) {
    const names = JSON.parse(process.env.MUTANT_SUITES ?? "[]");
    const place = ({ path }) => names.findIndex((name) => path.includes(name));
    return [...tests].sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path));
  }

  cacheResults() {}
}
