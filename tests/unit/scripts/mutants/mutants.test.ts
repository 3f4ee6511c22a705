import { type Mutant, mutate, patchOf, sample } from "@/scripts/mutants/mutant";
import { isEquivalent, type Judged, outdated, report } from "@/scripts/mutants/report";
import { ROOMS, roomsOf, testsFor } from "@/scripts/mutants/suites";
import { mutantsOf } from "@/scripts/mutants/typescript";

/** What becomes of a text, one line for each mutant. */
function changed(source: string, kind: Mutant["kind"] = "TypeScript"): string[] {
  return mutantsOf("a.ts", source)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => mutate(source, mutant).replace(/\s+/g, " ").trim());
}

/** The same of a statement, without what stands around it. */
function statement(text: string): string[] {
  return changed(`x(Prisma.sql\`${text}\`);`, "SQL").map((line) => line.slice("x(Prisma.sql`".length, -"`);".length));
}

describe("mutants of TypeScript", () => {
  it.each([
    ["a comparison", "f = a === b", ["f = a !== b"]],
    ["an order", "f = a <= b", ["f = a < b"]],
    ["an order of moments", "f = a > new Date()", ["f = a <= new Date()"]],
    ["a pair of conditions", "f = a && (b || c)", ["f = a || (b || c)", "f = a && (b && c)"]],
    ["a negation", "f = !a", ["f = a"]],
    ["a default", "f = a ?? b", ["f = (a)", "f = (b)"]],
    ["a choice", "f = a ? b : c", ["f = a ? c : b"]],
    ["numbers", "f = [10, 0]", ["f = [11, 0]", "f = [9, 0]", "f = [10, 1]"]],
    ["a truth", "f = true", ["f = false"]],
    ["a guard", "function f() { if (a) return; }", ["function f() { ; }"]],
    ["a branch of one statement", "if (a) { g(); }", [";"]],
    ["a call", "await g(a);", [";"]],
    ["what is spread", "f = { ...a }", ["f = { ...{} }"]],
    [
      "what a row is found by",
      "f = g({ where: { id, userId: u } })",
      ["f = g({ where: { userId: u } })", "f = g({ where: { id } })"],
    ],
  ])("change %s", (_, source, expected) => {
    expect(changed(source)).toEqual(expected);
  });

  it("leave imports, types, texts, descriptions and log lines alone", () => {
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

  it("find their places behind letters of more than one byte", () => {
    expect(changed("/* Größe: 園 😀 */ f = a === b")).toEqual(["/* Größe: 園 😀 */ f = a !== b"]);
  });

  it("are programs, each of them", () => {
    expect(changed("for (const a of b) if (a ?? b) throw (a && b) || c;").length).toBeGreaterThan(4);
  });
});

describe("mutants of SQL", () => {
  it.each([
    ["conditions", "SELECT 1 WHERE a AND b", ["SELECT 1 WHERE b", "SELECT 1 WHERE a"]],
    ["the only condition", "DELETE FROM t WHERE a", ["DELETE FROM t WHERE true"]],
    ["alternatives", "SELECT 1 WHERE (a OR b)", ["SELECT 1 WHERE true", "SELECT 1 WHERE (b)", "SELECT 1 WHERE (a)"]],
    ["a range as one condition", "SELECT 1 WHERE a BETWEEN 1 AND 2", ["SELECT 1 WHERE true"]],
    ["a comparison", "SELECT a < b", ["SELECT a <= b"]],
    ["a moment", "SELECT a <= now()", ["SELECT a > now()"]],
    ["a moment on the left", "SELECT now() < a", ["SELECT now() >= a"]],
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
    ["a value, not its only assignment", "UPDATE t SET a = b OR c", ["UPDATE t SET a = c", "UPDATE t SET a = b"]],
    ["assignments that stand alone", "a = now(), b = 2", ["b = 2", "a = now()"]],
    ["a condition that is added", "AND a", ["AND true"]],
    ["a condition that stands alone", "a = 1", ["true", "a <> 1"]],
  ])("change %s", (_, text, expected) => {
    expect(statement(text).map((line) => line.trim())).toEqual(expected);
  });

  it("keep what a template fills in, names, texts, comments, operators of words and conflicts", () => {
    expect(
      statement(`SELECT $\{a}::text AS "a = b", 'c AND d', left(e, 1), f IS DISTINCT FROM g -- h AND i
        FROM t LEFT JOIN u ON true ON CONFLICT (a) DO NOTHING`),
    ).toEqual([expect.stringContaining("ON false")]);
  });

  it("take the cases of a value for values", () => {
    expect(statement("SELECT CASE a WHEN 'b' THEN 1 ELSE 2 END")).toEqual([]);
  });

  it("are found in every tag of a statement, and TypeScript within it is TypeScript", () => {
    const source = "db.$queryRaw<A>`SELECT a = $" + "{b === c}`";
    expect(mutantsOf("a.ts", source).map(({ kind }) => kind)).toEqual(["SQL", "TypeScript"]);
  });
});

describe("a sample", () => {
  it("is the same for the same seed, in the order of the whole", () => {
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

  it("counts TypeScript and SQL apart, and wants nine of ten of each", () => {
    const nine = Array.from({ length: 9 }, () => judged("killed"));
    expect(report([...nine, judged("survived")])).toMatchObject({ isEnough: true });
    expect(report([...nine, judged("survived"), judged("survived")])).toMatchObject({ isEnough: false });
    const mixed = report([...nine, judged("survived", "SQL")]);
    expect(mixed.isEnough).toBe(false);
    expect(mixed.lines.at(-1)).toMatch(/^lib +9 \/ 9 \(100 %\) +0 \/ 1 \(0 %\)/);
  });

  it("leaves statements out that no database can read", () => {
    expect(report([judged("invalid", "SQL")])).toMatchObject({ isEnough: true });
  });

  it("knows a listed equivalent by both lines, and says which entries fit nothing", () => {
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
  it("knows the tests for every file of its rooms", () => {
    for (const { folder } of ROOMS) expect(testsFor(`${folder}/writes/piece.ts`)).not.toEqual([]);
    expect(testsFor("lib/log.ts")).toEqual([]);
  });

  it("refuses a folder that has none", () => {
    expect(roomsOf(["lib/features/content/"]).map(({ folder }) => folder)).toEqual(["lib/features/content"]);
    expect(() => roomsOf(["lib/features/contents"])).toThrow("There are no suites for lib/features/contents");
  });
});
