import { announceChange } from "@/lib/db/announce";
import type { ClaimedItem } from "@/lib/features/work/schema";
import { type Draft, whileShowing } from "@/lib/features/work/writes/drafts";
import { saveDraft } from "@/lib/lease/lease";

jest.mock("@/lib/lease/lease", () => ({ saveDraft: jest.fn() }));
jest.mock("@/lib/db/announce", () => ({ announceChange: jest.fn() }));

const saved = jest.mocked(saveDraft);
const drafts = () => saved.mock.calls.map(([, text]) => text);
const item = { id: "i", jobId: "j", contentPieceId: "p", token: "t" } as ClaimedItem;
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.resetAllMocks();
});

/** A call that is under way; `end` ends it. */
function call() {
  let end = (_: string) => {};
  let draft: Draft | undefined;
  const ended = whileShowing(item, (given) => {
    draft = given;
    return new Promise<string>((resolve) => (end = resolve));
  });
  const { add, clear } = draft as unknown as Draft;
  return { add, clear, ended, end: (value: string) => end(value) };
}

it("shows new words four times a second while somebody watches", async () => {
  saved.mockResolvedValue(true);
  const { add } = call();
  for (const word of ["Soil", " warms", " early", "."]) {
    add(word);
    await pass(250);
  }
  expect(drafts()).toEqual(["Soil", "Soil warms", "Soil warms early", "Soil warms early."]);
  expect(saved).toHaveBeenCalledWith({ kind: "writing", subject: "p", token: "t" }, "Soil", "j");
  expect(jest.mocked(announceChange).mock.calls).toEqual(Array(4).fill(["j"]));
});

it("says nothing while no word comes", async () => {
  saved.mockResolvedValue(true);
  const { add } = call();
  await pass(5_000);
  expect(drafts()).toEqual([]);
  add("Soil");
  await pass(5_000);
  expect(drafts()).toEqual(["Soil"]);
});

it("looks every three seconds whether somebody watches", async () => {
  saved.mockResolvedValue(false);
  const { add } = call();
  for (let second = 0; second < 8; second++) {
    add("soil ");
    await pass(1_000);
  }
  expect(saved).toHaveBeenCalledTimes(3);
  expect(announceChange).not.toHaveBeenCalled();
});

it("starts over when its call does", async () => {
  saved.mockResolvedValue(true);
  const { add, clear } = call();
  add("Soil wams");
  await pass(250);
  clear();
  add("Soil");
  await pass(250);
  expect(drafts()).toEqual(["Soil wams", "Soil"]);
});

it("does not fail the call when a draft cannot be saved", async () => {
  saved.mockRejectedValueOnce(new Error("no room on the disk")).mockResolvedValue(true);
  const { add, end, ended } = call();
  add("Soil");
  await pass(3_500);
  expect(drafts()).toEqual(["Soil", "Soil"]);
  end("done");
  expect(await ended).toBe("done");
});

it("shows nothing after the call", async () => {
  saved.mockResolvedValue(true);
  const { add, end, ended } = call();
  end("done");
  await ended;
  add("Soil");
  await pass(5_000);
  expect(drafts()).toEqual([]);
});
