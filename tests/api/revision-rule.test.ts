import pg from "pg";
import { databaseUrl, holdTransaction, query, waitForLock } from "@/tests/support/db";
import { type EditSession, newEditSession } from "@/tests/support/edit-session";
import { revisionsOf } from "@/tests/support/factories";

describe("an edit session", () => {
  it("is one revision while less than five minutes pass between two changes, however long it takes", async () => {
    const { save, later, bodies } = await newEditSession();
    for (const body of ["one", "two", "three", "four"]) {
      await save({ body });
      await later("299 seconds");
    }
    expect(await bodies()).toEqual(["four", "The first text."]);
  });

  it("ends when five minutes pass", async () => {
    const { save, later, bodies } = await newEditSession();
    await save({ body: "one" });
    await later("301 seconds");
    await save({ body: "two" });
    expect(await bodies()).toEqual(["two", "one", "The first text."]);
  });

  it("is one revision with the last title, text and outline", async () => {
    const { save, outlines, rows, url, caller } = await newEditSession();
    await save({ title: "A title", body: "one", outline: "## One" });
    await save({ title: "Another title", body: "two", outline: "## Two" });
    expect([(await rows()).map(({ body }) => body), await outlines()]).toEqual([
      ["two", "The first text."],
      ["## Two", null],
    ]);
    expect((await revisionsOf({ caller }, url)).map(({ title }) => title)).toEqual([
      "Another title",
      "A peat-free seed mix",
    ]);
  });

  it("is not prolonged by a save that changes nothing", async () => {
    const { save, later, bodies } = await newEditSession();
    await save({ body: "one" });
    await later("200 seconds");
    await save({ body: "one" });
    await later("200 seconds");
    await save({ body: "two" });
    expect(await bodies()).toEqual(["two", "one", "The first text."]);
  });

  it("ends when its text is published while a save is under way", async () => {
    const { id, save, bodies } = await newEditSession();
    await save({ body: "one" });
    const publishing = await holdTransaction(
      "UPDATE content_revisions SET published_at = now() WHERE content_piece_id = $1 AND body = 'one'",
      [id],
    );
    const saved = save({ body: "two" });
    await waitForLock();
    await publishing.releaseLock();
    await saved;
    expect(await bodies()).toEqual(["two", "one", "The first text."]);
  });

  it("ends with an AI text", async () => {
    const { save, saveAi, bodies } = await newEditSession();
    await save({ body: "one" });
    await saveAi("by the AI");
    await save({ body: "two" });
    await save({ body: "three" });
    expect(await bodies()).toEqual(["three", "by the AI", "one", "The first text."]);
  });
});

it("a save that changes nothing creates no revision", async () => {
  const { save, rows } = await newEditSession();
  await save({ body: "The first text." });
  expect(await rows()).toEqual([]);
});

describe("a text that is replaced by one less than half as long", () => {
  it("gets its own revision, and the session continues", async () => {
    const { save, bodies } = await newEditSession({ body: "" });
    await save({ body: "A text of two hours." });
    await save({ body: "" });
    await save({ body: "Another" });
    expect(await bodies()).toEqual(["Another", "A text of two hours.", ""]);
  });

  it.each([
    ["half as long", "1234567890", "12345", ["12345", ""]],
    ["less than half", "1234567890", "1234", ["1234", "1234567890", ""]],
    ["half as long in characters, whatever they take in bytes", "種を蒔く前に土を作る", "12345", ["12345", ""]],
  ])("%s", async (_what, first, next, kept) => {
    const { save, bodies } = await newEditSession({ body: "" });
    await save({ body: first });
    await save({ body: next });
    expect(await bodies()).toEqual(kept);
  });

  it("may be an outline", async () => {
    const { save, outlines } = await newEditSession();
    await save({ outline: "## One\n\n## Two" });
    await save({ outline: "## One" });
    await save({ outline: "" });
    expect(await outlines()).toEqual([null, "## One", "## One\n\n## Two", null]);
  });

  it("may be an outline, but not if half of it stays or only the body changes", async () => {
    const { save, outlines } = await newEditSession();
    await save({ outline: "1234567890" });
    await save({ outline: "12345" });
    await save({ body: "The second text." });
    expect(await outlines()).toEqual(["12345", null]);
  });

  it("cannot be a title", async () => {
    const { save, bodies } = await newEditSession();
    await save({ title: "A long title that says it all" });
    await save({ title: "A" });
    expect(await bodies()).toHaveLength(2);
  });
});

describe("a sitting's longest text", () => {
  const words = (count: number) => Array(count).fill("word").join(" ");

  it("stays when it is cut down in several saves, the last of which stays too", async () => {
    const { save, later, bodies } = await newEditSession({ body: "" });
    for (const count of [1_000, 600, 360, 216]) {
      await save({ body: words(count) });
      await later("200 seconds");
    }
    expect(await bodies()).toEqual([words(216), words(1_000), ""]);
  });

  it("stays but for a tenth when it is cut down little by little", async () => {
    const { save, bodies } = await newEditSession({ body: "" });
    await save({ body: words(500) });
    for (let count = 1_000; count >= 400; count -= 40) await save({ body: words(count) });
    expect(await bodies()).toEqual([words(400), words(920), ""]);
  });

  it("may be one that was written after an earlier one was cut down", async () => {
    const { save, bodies } = await newEditSession({ body: "" });
    for (const count of [1_000, 600, 1_200, 700, 600]) await save({ body: words(count) });
    expect(await bodies()).toEqual([words(600), words(1_200), words(1_000), ""]);
  });

  it("may be an outline beside a body that grows", async () => {
    const { save, outlines } = await newEditSession({ body: "" });
    for (const count of [100, 60, 36]) await save({ outline: words(count), body: words(Math.round(90_000 / count)) });
    expect(await outlines()).toEqual([words(36), words(100), null]);
  });

  it("is another one after a pause", async () => {
    const { save, later, bodies } = await newEditSession({ body: "" });
    await save({ body: words(1_000) });
    await later("1 hour");
    for (const count of [800, 500, 400]) await save({ body: words(count) });
    expect(await bodies()).toEqual([words(400), words(800), words(1_000), ""]);
  });
});

it("a text without a revision gets one before the first change, even after a refused save", async () => {
  const { saveOn, saveWithoutVersion, bodies } = await newEditSession();
  expect((await saveOn(7, "Of another tab.")).status).toBe(409);
  await saveWithoutVersion("one");
  expect(await bodies()).toEqual(["one", "The first text.", "Of another tab."]);
});

describe("revisions kept forever", () => {
  const MANY = 60;

  /** Adds many later texts, each in its own revision. */
  async function addLaterTexts({ saveWithoutVersion }: EditSession) {
    for (let n = 0; n < MANY; n++) await saveWithoutVersion(`A later text: ${n}`);
  }
  const bodiesOf = async ({ rows }: EditSession) => (await rows()).map(({ body }) => body);

  it("are AI texts, saved or set aside, and the texts they replaced", async () => {
    const piece = await newEditSession();
    await piece.save({ body: "What was there." });
    await piece.saveAi("Landed.");
    await piece.save({ body: "An edit." });
    expect(await piece.saveAi("Set aside.", 1)).toBe(false);
    await addLaterTexts(piece);
    const bodies = await bodiesOf(piece);
    expect(bodies).toEqual(expect.arrayContaining(["Set aside.", "Landed.", "What was there."]));
    expect(bodies).not.toContain("An edit.");
    expect(bodies).not.toContain("The first text.");
    for (let n = 0; n < MANY; n++) await piece.saveAi(`By the AI: ${n}`);
    expect(await bodiesOf(piece)).toEqual(expect.arrayContaining(["Set aside.", "Landed.", "What was there."]));
  });

  it("are published texts", async () => {
    const piece = await newEditSession();
    await piece.save({ body: "Published." });
    await piece.publish();
    await piece.save({ body: "An edit in the same session." });
    expect(await piece.bodies()).toEqual(["An edit in the same session.", "Published.", "The first text."]);
    await addLaterTexts(piece);
    expect(await bodiesOf(piece)).toContain("Published.");
  });

  it("are published texts that never changed", async () => {
    const piece = await newEditSession();
    await piece.publish();
    await piece.publish();
    expect(await piece.rows()).toEqual([{ body: "The first text.", version: 1 }]);
    await addLaterTexts(piece);
    expect(await bodiesOf(piece)).toContain("The first text.");
  });

  it("are only the piece's own texts", async () => {
    const [piece, other] = [await newEditSession(), await newEditSession()];
    await piece.publish();
    expect(await other.rows()).toEqual([]);
  });

  it("are published texts that were edited while they were being sent", async () => {
    const piece = await newEditSession();
    const sent = await piece.save({ body: "Sent to the site." });
    await piece.save({ body: "An edit meanwhile." });
    await piece.publish(sent);
    expect(await piece.bodies()).toEqual(["An edit meanwhile.", "Sent to the site.", "The first text."]);
  });
});

describe("older revisions", () => {
  /** Revisions this many hours before the start of yesterday, newest first, below newer ones. */
  async function withHistory(ages: number[], newer = 50) {
    const piece = await newEditSession();
    await query("UPDATE content_pieces SET version = 1000 WHERE id = $1", [piece.id]);
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, created_at)
       SELECT $1, 999 - place, 'user', 'A title', 'newer ' || place, now() - place * interval '1 second'
       FROM generate_series(1, $2::int) place`,
      [piece.id, newer],
    );
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, created_at)
       SELECT $1, 500 - place, 'user', 'A title', age::text, date_trunc('day', now(), 'UTC') - (24 + age) * interval '1 hour'
       FROM unnest($2::float8[]) WITH ORDINALITY AS old (age, place)`,
      [piece.id, ages],
    );
    const older = async () => (await piece.rows()).map(({ body }) => Number(body)).filter((age) => age > 0);
    return { ...piece, older };
  }

  it("stay as they are while there are no more than fifty", async () => {
    const ages = [1, 2, 3, 2000, 2001];
    const { saveWithoutVersion, older } = await withHistory(ages, 45);
    // The current text gets its revision too.
    await saveWithoutVersion("the 51st and 52nd");
    expect(await older()).toEqual(ages);
    await saveWithoutVersion("the 53rd");
    expect(await older()).toEqual([1, 2, 3, 2000]);
  });

  it("are thinned to the last of each day for thirty days", async () => {
    // Hours 1 to 24 are one day.
    const { saveWithoutVersion, older } = await withHistory([1, 2, 24, 25, 40, 49, 50, 671, 672]);
    await saveWithoutVersion("today");
    expect(await older()).toEqual([1, 25, 49, 671]);
  });

  it("are then thinned to the last of each month, besides conflicting texts and AI texts", async () => {
    const { id, saveWithoutVersion, rows } = await withHistory([]);
    const keep = ([day, kind]: string[], place: number) =>
      query(
        `INSERT INTO content_revisions (content_piece_id, version, author, title, body, created_at)
         VALUES ($1, $2, $3::revision_author, 'A title', $4, $4::text::timestamptz)`,
        [id, kind === "aside" ? null : 500 - 2 * place, kind === "ai" ? "ai" : "user", day],
      );
    const days = [
      ["2024-03-31T23:59:59Z", "stays"],
      ["2024-03-31T00:00:00Z"],
      ["2024-03-01T00:00:00Z"],
      ["2024-02-29T12:00:00Z", "stays"],
      ["2023-03-31T12:00:00Z", "ai"],
      ["2023-03-30T12:00:00Z", "aside"],
      ["2023-03-29T12:00:00Z", "stays"],
      ["2023-03-28T12:00:00Z"],
    ];
    await Promise.all(days.map(keep));
    await saveWithoutVersion("today");
    const left = (await rows()).map(({ body }) => body).filter((body) => body.startsWith("20"));
    expect(left).toEqual(days.flatMap(([day, kind]) => (kind ? [day] : [])));
  });

  it("keep the day's last text besides conflicting texts and AI texts", async () => {
    const { id, saveWithoutVersion, older } = await withHistory([1, 2, 3, 4, 5]);
    await query("UPDATE content_revisions SET version = NULL WHERE content_piece_id = $1 AND body IN ('2', '3')", [id]);
    await query("UPDATE content_revisions SET author = 'ai' WHERE content_piece_id = $1 AND body = '1'", [id]);
    await saveWithoutVersion("today");
    expect(await older()).toEqual([1, 2, 4]);
  });

  it("keep the current text even if the database's clock went back after it was saved", async () => {
    const { id, saveWithoutVersion, older } = await withHistory([1, 2, 3]);
    await query("UPDATE content_revisions SET version = 1000 WHERE content_piece_id = $1 AND body = '2'", [id]);
    await saveWithoutVersion("today");
    expect(await older()).toEqual([1, 2]);
  });

  it("are pruned on saving an AI text too", async () => {
    const { saveAi, older } = await withHistory([1, 2]);
    await saveAi("By the AI.");
    expect(await older()).toEqual([1]);
  });

  it("are thinned whatever AI texts another piece has", async () => {
    const other = await withHistory([]);
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body)
       SELECT $1, version, 'ai', 'A title', 'By the AI' FROM generate_series(400, 600) version`,
      [other.id],
    );
    const { saveWithoutVersion, older } = await withHistory([1, 2, 3]);
    await saveWithoutVersion("today");
    expect(await older()).toEqual([1]);
  });

  it("are pruned from the fifty-first on", async () => {
    const { id, saveWithoutVersion, rows } = await newEditSession();
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, created_at)
       SELECT $1, 100 + n, 'user', 'A title', 'old ' || n, '2024-01-15T12:00:00Z'::timestamptz + n * interval '1 second'
       FROM generate_series(1, 51) n`,
      [id],
    );
    await saveWithoutVersion("today");
    expect((await rows()).map(({ body }) => body).filter((body) => body.startsWith("old"))).toEqual(
      Array.from({ length: 50 }, (_, n) => `old ${51 - n}`),
    );
  });

  it("of another piece stay", async () => {
    const other = await withHistory([1, 2]);
    const { saveWithoutVersion } = await withHistory([1, 2]);
    await saveWithoutVersion("today");
    expect(await other.older()).toEqual([1, 2]);
  });
});

describe("a text refused because of another tab's", () => {
  it("ends the current session, not the next one", async () => {
    const { save, saveOn, later, bodies } = await newEditSession();
    await save({ body: "one" });
    await saveOn(1, "Of another tab.");
    await save({ body: "two" });
    await later("1 hour");
    await save({ body: "three" });
    await save({ body: "four" });
    expect(await bodies()).toEqual(["four", "two", "Of another tab.", "one", "The first text."]);
  });

  it("ends the session even if both were saved in the same millisecond", async () => {
    const { id, save, saveOn, bodies } = await newEditSession();
    await save({ body: "one" });
    await saveOn(1, "Of another tab.");
    await query(
      `UPDATE content_revisions SET created_at = (SELECT max(created_at) FROM content_revisions WHERE content_piece_id = $1)
       WHERE content_piece_id = $1 AND body = 'one'`,
      [id],
    );
    await save({ body: "two" });
    expect(await bodies()).toEqual(expect.arrayContaining(["two", "one", "Of another tab.", "The first text."]));
  });

  it("ends no session of another piece", async () => {
    const [piece, other] = [await newEditSession(), await newEditSession()];
    await piece.save({ body: "one" });
    await other.saveOn(7, "Of another tab.");
    await piece.save({ body: "two" });
    expect(await piece.bodies()).toEqual(["two", "The first text."]);
  });

  it("is kept when it was refused after waiting for the other tab", async () => {
    const piece = await newEditSession();
    const { version } = await piece.save({ body: "The text both tabs have." });
    await piece.later("1 hour");
    const first = new pg.Client({ connectionString: databaseUrl() });
    await first.connect();
    await first.query("BEGIN");
    await first.query("SELECT 1 FROM content_pieces WHERE id = $1 FOR UPDATE", [piece.id]);
    const second = piece.saveOn(version, "Of the second tab.");
    await waitForLock();
    await first.query("UPDATE content_pieces SET body = 'Of the first tab.', version = version + 1 WHERE id = $1", [
      piece.id,
    ]);
    await first.query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, created_at)
       VALUES ($1, $2, 'user', 'A title', 'Of the first tab.', clock_timestamp() - interval '2 milliseconds')`,
      [piece.id, version + 1],
    );
    await first.query("COMMIT");
    await first.end();
    expect((await second).status).toBe(409);
    await piece.save({ body: "Of both tabs." });
    expect(await piece.bodies()).toEqual([
      "Of both tabs.",
      "Of the second tab.",
      "Of the first tab.",
      "The text both tabs have.",
      "The first text.",
    ]);
  });
});
