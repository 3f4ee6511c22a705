import { REPLAYS, type ReplayName } from "@/scripts/samples/ai/replays";
import { bytesOf, EXPECTED, seeReplay } from "@/tests/support/ai-replays";

it.each(Object.keys(REPLAYS) as ReplayName[])(
  "the bytes of %s give the same when they are cut in two anywhere",
  async (name) => {
    const bytes = bytesOf(name);
    for (let cut = 1; cut < bytes.length; cut++) {
      const seen = await seeReplay(name, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect([cut, seen]).toEqual([cut, EXPECTED[name]]);
    }
  },
  30_000,
);
