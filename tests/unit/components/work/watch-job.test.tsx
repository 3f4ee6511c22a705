/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { WatchJob } from "@/components/work/watch-job";
import { keys } from "@/lib/client/query-keys";
import type { JobTexts } from "@/lib/features/generation/schema";
import type { JobOut, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import { mockApi, renderScreen } from "@/tests/support/render";

const JOB = {
  id: "j",
  projectId: 3,
  topicId: 7,
  topicName: "Raised beds",
  jobType: "content_generation",
  status: "processing",
  totalItems: 1_200,
  completedItems: 1_000,
  failedItems: 2,
  cancelledItems: 1,
} as JobOut;
type Text = JobTexts["texts"][number];
const text = (over: Partial<Text> = {}): Text => ({
  itemId: "i",
  contentPieceId: "p",
  title: "Soil mixes",
  status: "processing",
  section: { number: 2, of: 8 },
  secondsLeft: null,
  parts: [
    { position: 0, heading: "Clay", from: 0, text: "It is slow." },
    { position: 1, heading: "Sand", from: 0, text: "It is" },
  ],
  ...over,
});

/** The screen of a job with these texts; `waits` and `error` are its first item's in the queue. */
async function show(
  texts: Text[],
  { job = JOB, waits = null, error = null }: { job?: JobOut } & Partial<Pick<QueueItemOut, "waits" | "error">> = {},
) {
  mockApi({ "GET /api/queue/jobs/j/texts": () => ({ json: { job, texts } satisfies JobTexts }) });
  const { client } = renderScreen(<WatchJob jobId="j" />);
  const item = { jobId: "j", status: "pending", waits, error, section: null } as QueueItemOut;
  const status = { outlineQueue: [], contentQueue: [item], pace: { outlineQueue: null, contentQueue: 2 } };
  act(() => void client.setQueryData(keys.queueStatus(), status as unknown as QueueStatus));
  await screen.findByRole("heading", { level: 1, name: "Raised beds" });
}

it("shows a text with its sections, its words, and how far it is", async () => {
  await show([text(), text({ itemId: "k", title: null, secondsLeft: 130, parts: [] })]);
  expect(screen.getByRole("link", { name: "Soil mixes" })).toHaveAttribute("href", "/content/p");
  expect(screen.getByRole("region", { name: "Text of Soil mixes" })).toHaveTextContent(
    /Clay\s*It is slow\.\s*Sand\s*It is/,
  );
  expect(screen.getByRole("progressbar", { name: "Sections of Soil mixes written" })).toHaveAttribute(
    "aria-valuenow",
    "13",
  );
  expect(screen.getByText("5 words")).toBeInTheDocument();
  expect(screen.getByText("Time left not known yet")).toBeInTheDocument();
  expect(screen.getByText("Deleted piece")).toBeInTheDocument();
  expect(screen.getByText("about 2 minutes left")).toBeInTheDocument();
});

it("shows how far the job is, and how long it still takes", async () => {
  await show([text()]);
  expect(screen.getByText("1,002 of 1,200 done")).toBeInTheDocument();
  expect(screen.getByText("about 7 minutes left")).toBeInTheDocument();
});

it("says of a text that has ended how it has", async () => {
  await show([text({ status: "failed" }), text({ itemId: "k" }), text({ itemId: "l", status: "completed" })]);
  expect(screen.getByText("Failed")).toBeInTheDocument();
  const bars = screen.getAllByRole("progressbar", { name: "Sections of Soil mixes written" });
  expect(bars.map((bar) => bar.getAttribute("aria-valuenow"))).toEqual(["13", "13", "100"]);
  expect(screen.getAllByText(/^Section 2 of 8$/)).toHaveLength(1);
});

it.each([
  ["a pause", "pause", null, "You have paused the queues. Resume in the Queue Monitor, then writing goes on."],
  ["the user", "user", "The key was refused.", "The key was refused."],
  ["the provider", "provider", null, "Waiting: for the provider"],
] as const)("says what an idle job waits for: %s", async (_what, whom, error, words) => {
  await show([], { waits: { for: whom, until: null }, error });
  expect(screen.getByText(words)).toBeInTheDocument();
});

it("says that a text is about to begin", async () => {
  await show([text({ status: "completed" })]);
  expect(screen.getByText("The next text is about to begin.")).toBeInTheDocument();
});

it("leads to the topic of a job that has ended", async () => {
  await show([], { job: { ...JOB, status: "completed" } });
  expect(screen.getByText("This job has ended.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Open the topic" })).toHaveAttribute("href", "/projects/3?topic=7");
});
