import fc from "fast-check";
import { query } from "@/tests/support/db";
import { type EditSession, newEditSession } from "@/tests/support/edit-session";

type Step = {
  what: "save" | "outline" | "stale" | "versionless" | "ai" | "lateAi" | "publish";
  length: number;
  gap: number;
};

const step = fc.record<Step>({
  what: fc.constantFrom("save", "save", "save", "save", "outline", "stale", "versionless", "ai", "lateAi", "publish"),
  // Lengths above and below a half, and no text.
  length: fc.constantFrom(0, 20, 39, 40, 41, 79, 80, 81, 160),
  gap: fc.constantFrom(0, 0, 60, 295, 305, 86_400),
});

type Text = { body: string; outline: string };

/** The texts that must be kept, derived from the steps only. */
function newLedger(first: Text) {
  let now = first;
  let isInSession = false;
  let sinceChange = 0;
  const kept: Text[] = [];
  return {
    now: () => now,
    owed: () => [...kept, now],
    pass: (seconds: number) => {
      sinceChange += seconds;
      if (sinceChange >= 300) isInSession = false;
    },
    keep: (text: Text) => kept.push(text),
    endSession: () => {
      isInSession = false;
    },
    change: (next: Text, by: "user" | "ai") => {
      if (next.body === now.body && next.outline === now.outline) return;
      const isShorter = 2 * next.body.length < now.body.length || 2 * next.outline.length < now.outline.length;
      if (!isInSession || by === "ai" || isShorter) kept.push(now);
      if (by === "ai") kept.push(next);
      isInSession = by === "user";
      sinceChange = 0;
      now = next;
    },
  };
}

let made = 0;
const FILLINGS = ["x", "x y ", "longer\n"];
const textOf = (length: number) =>
  length === 0 ? "" : `${++made} `.padEnd(length, FILLINGS[made % FILLINGS.length]).replace(/\s$/, "x");
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

async function take(
  piece: EditSession,
  ledger: ReturnType<typeof newLedger>,
  { what, length, gap }: Step,
): Promise<void> {
  const text = textOf(length);
  const version = (await piece.read()).version;
  if (what === "save") {
    await piece.save({ body: text });
    ledger.change({ ...ledger.now(), body: text }, "user");
  } else if (what === "outline") {
    await piece.save({ outline: text });
    ledger.change({ ...ledger.now(), outline: text }, "user");
  } else if (what === "versionless") {
    // Overwrites a text that it may not have seen; the same text overwrites nothing.
    if (text !== ledger.now().body) ledger.endSession();
    await piece.saveWithoutVersion(text);
    ledger.change({ ...ledger.now(), body: text }, "user");
  } else if (what === "stale" && version > 1) {
    await piece.saveOn(version - 1, text);
    if (text !== ledger.now().body) {
      ledger.keep({ ...ledger.now(), body: text });
      ledger.endSession();
    }
  } else if (what === "ai") {
    await piece.saveAi(text);
    ledger.keep({ ...ledger.now(), body: text });
    ledger.change({ ...ledger.now(), body: text }, "ai");
  } else if (what === "lateAi" && version > 1) {
    await piece.saveAi(text, version - 1);
    ledger.keep({ ...ledger.now(), body: text });
    ledger.endSession();
  } else if (what === "publish") {
    await piece.publish();
    ledger.keep(ledger.now());
    ledger.endSession();
  }
  await piece.later(`${gap} seconds`);
  ledger.pass(gap);
}

describe("after any sequence of saves", () => {
  it("the last text of every session, texts that lost half, and AI and published texts are kept, with their words", async () => {
    let [steps, owed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (sequence) => {
        const piece = await newEditSession({ body: "The first text." });
        const ledger = newLedger({ body: "The first text.", outline: "" });
        for (const one of sequence) await take(piece, ledger, one);
        const rows = await query<Text & { words: number }>(
          `SELECT body, coalesce(outline, '') AS outline, word_count AS words FROM content_revisions WHERE content_piece_id = $1
           UNION ALL SELECT body, coalesce(outline, ''), word_count FROM content_pieces WHERE id = $1`,
          [piece.id],
        );
        const due = ledger.owed().map((text) => ({ ...text, words: wordsOf(text.body) }));
        expect(rows).toEqual(expect.arrayContaining(due));
        expect(rows.filter(({ body, words }) => words !== wordsOf(body))).toEqual([]);
        steps += sequence.length;
        owed += ledger.owed().length;
      }),
      { numRuns: 40 },
    );
    process.stdout.write(`revisions: ${owed} texts owed after ${steps} steps, all there\n`);
  }, 120_000);
});

type Old = { hours: number; kind: "user" | "aside" | "ai" | "aiAside" | "published" };

const old = fc.record<Old>({
  hours: fc.oneof(
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: 60, max: 1_600 }),
    fc.integer({ min: 600, max: 10_000 }),
  ),
  kind: fc.constantFrom("user", "user", "user", "user", "aside", "ai", "aiAside", "published"),
});

const HOUR = 3_600_000;

type Kept = Old & { at: string; version: number | null };

/** The history as rows, newest first: the highest version is the newest. */
function asRows(history: Old[], now: number): Kept[] {
  const sorted = history.toSorted((one, other) => one.hours - other.hours);
  return sorted.map(({ hours, kind }, place) => ({
    hours,
    kind,
    version: kind === "aside" || kind === "aiAside" ? null : 1_000 - place,
    // Half an hour off every bound, and no two at the same time.
    at: new Date(now - hours * HOUR - HOUR / 2 - place).toISOString(),
  }));
}

/** The rule stated independently: a row is deleted when a later one of its day or month replaces it. */
function staying(rows: Kept[]): string[] {
  const replacedByAi = new Set(rows.filter(({ kind }) => kind === "ai").map(({ version }) => (version ?? 0) - 1));
  const isForGood = ({ kind, version }: Kept) =>
    kind === "published" || kind === "ai" || kind === "aiAside" || (version !== null && replacedByAi.has(version));
  return rows
    .filter((row, place) => {
      if (place < 50 || isForGood(row)) return true;
      const span = row.at.slice(0, row.hours < 720 ? 10 : 7);
      const later = rows.slice(0, place).filter((one) => !isForGood(one) && one.kind === row.kind);
      return !later.some(({ at }) => at.startsWith(span));
    })
    .map(({ at }) => at);
}

/** Fifty new ones, and one for every hour from the 27th to the 33rd day. */
const AROUND_THIRTY_DAYS: Old[] = [
  ...Array.from({ length: 50 }, () => ({ hours: 0, kind: "user" as const })),
  ...Array.from({ length: 6 * 24 }, (_, n) => ({ hours: 27 * 24 + n, kind: "user" as const })),
];

describe("after any history", () => {
  it("a save keeps the newest fifty, the last of each day and month, and all that are kept forever", async () => {
    let [before, after] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(old, { minLength: 70, maxLength: 150, size: "max" }), async (history) => {
        const { id, saveWithoutVersion } = await newEditSession();
        const rows = asRows(history, Date.now());
        await query("UPDATE content_pieces SET version = 2000 WHERE id = $1", [id]);
        await query(
          `INSERT INTO content_revisions (content_piece_id, version, author, published_at, title, body, created_at)
           SELECT $1, version, (CASE WHEN kind IN ('ai', 'aiAside') THEN 'ai' ELSE 'user' END)::revision_author,
             CASE WHEN kind = 'published' THEN now() END, 'A title', at, at::timestamptz
           FROM jsonb_to_recordset($2::jsonb) AS old (version int, kind text, at text)`,
          [id, JSON.stringify(rows)],
        );
        await saveWithoutVersion("today");
        const left = await query<{ body: string }>(
          "SELECT body FROM content_revisions WHERE content_piece_id = $1 AND version IS DISTINCT FROM 2000 AND body <> 'today'",
          [id],
        );
        expect(left.map(({ body }) => body).sort()).toEqual(staying(rows).sort());
        before += rows.length;
        after += left.length;
      }),
      { numRuns: 40, examples: [[AROUND_THIRTY_DAYS]] },
    );
    process.stdout.write(`revisions: ${after} of ${before} stay after a save on each of 40 histories\n`);
  }, 120_000);
});
