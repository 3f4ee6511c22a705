import "server-only";
import { saveLength, selectUncounted } from "@/lib/features/content/sql/lengths";
import { lengthInWords } from "@/lib/utils/words";

/** Texts in memory at once. */
const BATCH = 10;
/** Batches of one sweep: 1,000 pieces. */
const MAX_BATCHES = 100;
/** A sweep begins no further batch after this. */
const BUDGET_MS = 5_000;

/** Counts the words of texts that were stored without their length; called by the scheduled sweep. */
export async function countLengths(): Promise<void> {
  const deadline = Date.now() + BUDGET_MS;
  for (let batch = 0; batch < MAX_BATCHES && Date.now() < deadline; batch++) {
    const uncounted = await selectUncounted(BATCH);
    for (const { id, version, body } of uncounted) await saveLength(id, version, lengthInWords(body));
    if (uncounted.length < BATCH) return;
  }
}
