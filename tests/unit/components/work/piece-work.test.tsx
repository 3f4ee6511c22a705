/** @jest-environment jsdom */
import { act } from "@testing-library/react";
import { PieceWorkBadge } from "@/components/work/piece-work";
import { keys } from "@/lib/client/query-keys";
import type { QueueItemOut } from "@/lib/features/work/schema";
import { renderScreen } from "@/tests/support/render";

const PIECE = { id: "p", topicId: 7, createdAt: "2026-11-21T10:00:00.000Z", isOutline: true, hasBody: false };

it.each<[string, Partial<QueueItemOut>, string]>([
  ["that it is queued", {}, "Queued"],
  ["its section", { status: "processing", section: { number: 3, of: 8 } }, "Writing, 3 of 8"],
  ["that it is written", { status: "processing" }, "Writing"],
  ["that it waits for the provider", { status: "processing", waits: { for: "provider", until: null } }, "Waiting"],
  ["that it is held", { waits: { for: "user", until: null } }, "Held"],
  ["that it is paused", { waits: { for: "pause", until: null } }, "Paused"],
  ["nothing once it has ended", { status: "completed" }, ""],
])("says of a piece %s", async (_what, parts, said) => {
  const { client, container } = renderScreen(<PieceWorkBadge piece={PIECE} />);
  const job = { id: "j", topicId: 7, jobType: "content_generation", status: "processing", totalItems: 1 };
  const counts = { completedItems: 0, failedItems: 0, cancelledItems: 0 };
  const item = { id: "i", jobId: "j", contentPieceId: "p", status: "pending", waits: null, section: null, ...parts };
  const ended = item.status === "completed" ? { completedItems: 1 } : {};
  const status = { jobs: [{ ...job, ...counts, ...ended }], outlineQueue: [], contentQueue: [item], needs: [] };
  await act(async () => {
    client.setQueryData(keys.queueStatus(), status);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  expect(container).toHaveTextContent(said === "" ? /^$/ : new RegExp(`^${said}$`));
});
