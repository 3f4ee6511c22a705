import { REPLAYS, type ReplayName } from "@/scripts/samples/ai/replays";
import { bytesOf, EXPECTED, seeReplay } from "@/tests/support/ai-replays";

describe.each(Object.keys(REPLAYS) as ReplayName[])("the bytes of %s", (name) => {
  it("give the answer alone, or the failure that they name", async () => {
    expect(await seeReplay(name, [bytesOf(name)])).toEqual(EXPECTED[name]);
  });

  it("give the same byte by byte", async () => {
    expect(
      await seeReplay(
        name,
        Array.from(bytesOf(name), (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(EXPECTED[name]);
  });
});
