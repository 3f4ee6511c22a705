import { statementTimeoutMs } from "@/lib/db/statement-timeout";

it.each([
  ["SELECT 1"],
  ["\n    SELECT p.id, p.updated_at FROM content_pieces p"],
  ["select 1"],
  ["WITH mine AS (SELECT * FROM processing_jobs) SELECT count(*) FROM mine"],
])("allows five seconds for a statement that only reads: %s", (text) => {
  expect(statementTimeoutMs(text)).toBe(5_000);
  expect(statementTimeoutMs({ text, values: [] })).toBe(5_000);
});

it.each([
  ["BEGIN"],
  ["INSERT INTO projects (title) VALUES ($1)"],
  ["WITH old AS (SELECT 1) UPDATE projects SET title = $1"],
  ["WITH gone AS (DELETE FROM sessions RETURNING id) SELECT count(*) FROM gone"],
  ["SELECT id FROM projects WHERE id = $1 FOR NO KEY UPDATE"],
])("allows 14 seconds for a statement that writes or waits for writers: %s", (text) => {
  expect(statementTimeoutMs(text)).toBe(14_000);
});
