import { query } from "@/tests/support/db";
import {
  AT_WORK,
  type Columns,
  changesBy,
  emptyQueues,
  type Item,
  NOTHING,
  nameOf,
  newItemOf,
  newJobOf,
  newOwner,
} from "@/tests/support/queue-rows";

// What a process of the release before does to items that it takes for lost with their worker.

emptyQueues();

/** The last try is used up by some of them, so that they would fail. */
const takeOver = ({ id }: Item) =>
  changesBy(() =>
    query(
      `UPDATE processing_queue SET claim_token = NULL, is_try_open = false, error = 'The work stopped before it was done.',
         status = CASE WHEN retry_count < max_retries THEN 'pending' ELSE 'failed' END::processing_status,
         retry_count = retry_count + (retry_count < max_retries)::int, not_before = NULL,
         completed_at = CASE WHEN retry_count < max_retries THEN NULL ELSE now() END WHERE id = $1 RETURNING id`,
      [id],
    ),
  );

async function newItem(columns: Columns, job: Columns = {}): Promise<Item> {
  return newItemOf(await newJobOf(await newOwner(), job), { ...AT_WORK, ...columns });
}

it.each([0, 3])("it counts no attempt for an item between two calls, after %s attempts", async (retry_count) => {
  const item = await newItem({ claim_token: null, retry_count });
  const { changed } = await takeOver(item);
  expect(changed).toEqual({ [nameOf(item)]: { status: "pending" } });
});

it("it does nothing to a piece that is being published", async () => {
  const item = await newItem({ topic_id: null, position: 0 }, { topic_id: null, job_type: "publishing" });
  expect(await takeOver(item)).toEqual({ answer: [], changed: NOTHING });
});

it("it counts an attempt for what was lost in a call", async () => {
  const item = await newItem({});
  const { changed } = await takeOver(item);
  const error = "The work stopped before it was done.";
  expect(changed).toEqual({ [nameOf(item)]: { status: "pending", claim_token: null, retry_count: 1, error } });
});
