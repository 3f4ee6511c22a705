import { type Mutant, mutate, patchOf, sample } from "@/scripts/mutants/mutant";
import { isEquivalent, type Judged, outdated, report } from "@/scripts/mutants/report";
import { ROOMS, roomsOf, testsFor } from "@/scripts/mutants/suites";
import { mutantsOf } from "@/scripts/mutants/typescript";

/** The mutated sources, one line each. */
function changed(source: string, kind: Mutant["kind"] = "TypeScript"): string[] {
  return mutantsOf("a.ts", source)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => mutate(source, mutant).replace(/\s+/g, " ").trim());
}

/** The mutated SQL statements, without the code around them. */
function statement(text: string): string[] {
  return changed(`x(Prisma.sql\`${text}\`);`, "SQL").map((line) => line.slice("x(Prisma.sql`".length, -"`);".length));
}

describe("mutants of TypeScript", () => {
  it.each([
    ["a comparison", "f = a === b", ["f = a !== b"]],
    ["an inequality", "f = a <= b", ["f = a < b"]],
    ["a comparison of dates", "f = a > new Date()", ["f = a <= new Date()"]],
    ["a pair of conditions", "f = a && (b || c)", ["f = a || (b || c)", "f = a && (b && c)"]],
    ["a negation", "f = !a", ["f = a"]],
    ["a default", "f = a ?? b", ["f = (a)", "f = (b)"]],
    ["a conditional expression", "f = a ? b : c", ["f = a ? c : b"]],
    ["numbers", "f = [10, 0]", ["f = [11, 0]", "f = [9, 0]", "f = [10, 1]"]],
    ["a boolean", "f = true", ["f = false"]],
    ["a guard", "function f() { if (a) return; }", ["function f() { ; }"]],
    ["a branch of one statement", "if (a) { g(); }", [";"]],
    ["a call", "await g(a);", [";"]],
    ["a spread", "f = { ...a }", ["f = { ...{} }"]],
    [
      "the conditions of a query",
      "f = g({ where: { id, userId: u } })",
      ["f = g({ where: { userId: u } })", "f = g({ where: { id } })"],
    ],
  ])("change %s", (_, source, expected) => {
    expect(changed(source)).toEqual(expected);
  });

  it("leave imports, types, strings, descriptions and log lines alone", () => {
    const source = `
      import { one } from "./1";
      export { two } from "./2";
      type A = { level: 1 | 2; on: true };
      const text: "a === b" = "a === b"; // a === b
      const field = schema.meta({ example: 1, deprecated: true });
      log.warn("late");
      if (a) log.warn("late");`;
    expect(changed(source)).toEqual([]);
  });

  it("have the right positions after multi-byte characters", () => {
    expect(changed("/* Größe: 園 😀 */ f = a === b")).toEqual(["/* Größe: 園 😀 */ f = a !== b"]);
  });

  it("are all valid programs", () => {
    expect(changed("for (const a of b) if (a ?? b) throw (a && b) || c;").length).toBeGreaterThan(4);
  });
});

describe("mutants of a component", () => {
  const inComponent = (source: string) =>
    mutantsOf("a.tsx", source).map((mutant) => mutate(source, mutant).replace(/\s+/g, " ").trim());

  it("change its behaviour", () => {
    expect(inComponent("f = <A open={a && b} />")).toEqual(["f = <A open={a || b} />"]);
  });

  it("leave its appearance alone", () => {
    expect(inComponent('f = <A className={a ? "b" : "c"} rows={6} side={a || b} />')).toEqual([]);
    expect(inComponent('f = { variant: a ? "b" : "c" }')).toEqual([]);
    expect(inComponent("const ROW_HEIGHT = 41, HEIGHTS = { a: 1 }")).toEqual([]);
  });
});

describe("mutants of SQL", () => {
  it.each([
    ["conditions", "SELECT 1 WHERE a AND b", ["SELECT 1 WHERE b", "SELECT 1 WHERE a"]],
    ["the only condition", "DELETE FROM t WHERE a", ["DELETE FROM t WHERE true"]],
    ["alternatives", "SELECT 1 WHERE (a OR b)", ["SELECT 1 WHERE true", "SELECT 1 WHERE (b)", "SELECT 1 WHERE (a)"]],
    ["a range as one condition", "SELECT 1 WHERE a BETWEEN 1 AND 2", ["SELECT 1 WHERE true"]],
    ["a comparison", "SELECT a < b", ["SELECT a <= b"]],
    ["a comparison with now()", "SELECT a <= now()", ["SELECT a > now()"]],
    ["now() on the left", "SELECT now() < a", ["SELECT now() >= a"]],
    ["IS NULL", "SELECT a IS NULL", ["SELECT a IS NOT NULL"]],
    ["IS NOT NULL", "SELECT a IS NOT NULL", ["SELECT a IS NULL"]],
    ["NOT EXISTS", "SELECT NOT EXISTS (SELECT 1)", ["SELECT EXISTS (SELECT 1)"]],
    ["a default", "SELECT coalesce(a, b)", ["SELECT b"]],
    ["a lock", "SELECT a FOR UPDATE OF t SKIP LOCKED", ["SELECT a"]],
    ["a lock on several", "SELECT a FOR UPDATE OF t, u", ["SELECT a"]],
    ["a weaker lock", "SELECT a FOR NO KEY UPDATE", ["SELECT a"]],
    ["a case", "SELECT CASE WHEN a THEN 1 END", ["SELECT CASE WHEN NOT (a) THEN 1 END"]],
    ["a case's comparison, once", "SELECT CASE WHEN a > 1 THEN 1 END", ["SELECT CASE WHEN a >= 1 THEN 1 END"]],
    ["a filter", "SELECT count(*) FILTER (WHERE a)", ["SELECT count(*) FILTER (WHERE true)"]],
    ["a join", "SELECT 1 FROM t JOIN u ON a", ["SELECT 1 FROM t JOIN u ON true"]],
    ["assignments", "UPDATE t SET a = 1, b = 2", ["UPDATE t SET b = 2", "UPDATE t SET a = 1"]],
    ["a value, but not the only assignment", "UPDATE t SET a = b OR c", ["UPDATE t SET a = c", "UPDATE t SET a = b"]],
    ["a fragment of assignments", "a = now(), b = 2", ["b = 2", "a = now()"]],
    ["an appended condition", "AND a", ["AND true"]],
    ["a fragment of one condition", "a = 1", ["true", "a <> 1"]],
  ])("change %s", (_, text, expected) => {
    expect(statement(text).map((line) => line.trim())).toEqual(expected);
  });

  it("leave interpolations, names, strings, comments, word operators and conflict clauses alone", () => {
    expect(
      statement(`SELECT $\{a}::text AS "a = b", 'c AND d', left(e, 1), f IS DISTINCT FROM g -- h AND i
        FROM t LEFT JOIN u ON true ON CONFLICT (a) DO NOTHING`),
    ).toEqual([expect.stringContaining("ON false")]);
  });

  it("do not mistake the values of a simple CASE for conditions", () => {
    expect(statement("SELECT CASE a WHEN 'b' THEN 1 ELSE 2 END")).toEqual([]);
  });

  it("are found in every SQL tag, and TypeScript inside it is mutated as TypeScript", () => {
    const source = "db.$queryRaw<A>`SELECT a = $" + "{b === c}`";
    expect(mutantsOf("a.ts", source).map(({ kind }) => kind)).toEqual(["SQL", "TypeScript"]);
  });
});

describe("a sample", () => {
  it("is the same for the same seed and keeps the original order", () => {
    const all = Array.from({ length: 100 }, (_, n) => n);
    const drawn = sample(all, 10, 1);
    expect(drawn).toHaveLength(10);
    expect(drawn).toEqual(sample(all, 10, 1));
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
    expect(drawn).not.toEqual(sample(all, 10, 2));
    expect(sample(all, 200, 1)).toEqual(all);
  });
});

describe("the report", () => {
  const source = "one\n  if (a === b) throw c;\n";
  const [mutant] = mutantsOf("lib/a.ts", source).filter(({ replacement }) => replacement === "!==");
  const judged = (fate: Judged["fate"], kind: Mutant["kind"] = "TypeScript"): Judged => ({
    mutant: { file: "lib/a.ts", start: 0, end: 0, replacement: "", ...mutant, kind },
    source,
    folder: "lib",
    fate,
  });

  it("shows each survivor with its line before and after", () => {
    const { lines } = report([judged("survived"), judged("killed")]);
    expect(lines.join("\n")).toContain("lib/a.ts:2 (TypeScript)\n  - if (a === b) throw c;\n  + if (a !== b) throw c;");
  });

  it("counts TypeScript and SQL separately and requires nine of ten for each", () => {
    const nine = Array.from({ length: 9 }, () => judged("killed"));
    expect(report([...nine, judged("survived")])).toMatchObject({ meetsThreshold: true });
    expect(report([...nine, judged("survived"), judged("survived")])).toMatchObject({ meetsThreshold: false });
    const mixed = report([...nine, judged("survived", "SQL")]);
    expect(mixed.meetsThreshold).toBe(false);
    expect(mixed.lines.at(-1)).toMatch(/^lib +9 \/ 9 \(100 %\) +0 \/ 1 \(0 %\)/);
  });

  it("ignores statements that no database can parse", () => {
    expect(report([judged("invalid", "SQL")])).toMatchObject({ meetsThreshold: true });
  });

  it("recognises a listed equivalent by both lines and reports entries that match nothing", () => {
    const { mutant } = judged("survived");
    const { from, to } = patchOf(source, mutant);
    const listed = { file: "lib/a.ts", from, to, reason: "none" };
    expect(isEquivalent(source, mutant, [listed])).toBe(true);
    expect(isEquivalent(source, mutant, [{ ...listed, to: from }])).toBe(false);
    const stale = { ...listed, from: "gone" };
    expect(outdated([listed, stale], [{ mutant, source }])).toEqual([stale]);
  });
});

describe("suites", () => {
  it("names tests for every file of its folders", () => {
    for (const { folder } of ROOMS) expect(testsFor(`${folder}/writes/piece.ts`)).not.toEqual([]);
    expect(testsFor("lib/log.ts")).toEqual([]);
  });

  it("rejects a folder without suites", () => {
    expect(roomsOf(["lib/features/content/"]).map(({ folder }) => folder)).toEqual(["lib/features/content"]);
    expect(() => roomsOf(["lib/features/contents"])).toThrow("There are no suites for lib/features/contents");
  });
});
