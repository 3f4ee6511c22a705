/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { ContentLibrary } from "@/components/content/content-library";
import type { ContentGroup } from "@/lib/features/content/schema";
import { aSummary } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));
jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams() }));

const GROUPS: ContentGroup[] = [
  { projectId: 3, title: "Spring planting guide", count: 1, topics: [{ topicId: 7, name: "Seed starting", count: 1 }] },
];

function open(table: Parameters<typeof mockApi>[0]) {
  mockApi({
    "GET /api/projects?description=300": () => ({ json: [] }),
    "GET /api/content/groups": () => ({ json: GROUPS }),
    "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: [aSummary()] }),
    ...table,
  });
  return renderScreen(<ContentLibrary />);
}

describe("the two buttons of a topic", () => {
  const JOB = "ae1276ec-0000-4000-8000-000000000000";
  const idle = { jobs: [], outlineQueue: [], contentQueue: [] };

  it.each([
    ["Generate Topic Outline", "generate-outline-queue", "Outline Generation Queued"],
    ["Write Topic Content with AI", "generate-all-content-queue", "Content Generation Queued"],
  ])("%s shows a toast with the message, the job and a button to the monitor", async (label, path, title) => {
    const { user } = open({
      [`POST /api/topics/7/${path}`]: () => ({ status: 202, json: { message: "1 queued.", jobId: JOB } }),
      "GET /api/queue/status": () => ({ json: idle }),
    });
    await user.click(await screen.findByRole("button", { name: label }));
    const toast = (await screen.findByText(title)).closest("li") as HTMLElement;
    expect(toast).toHaveTextContent("1 queued. Job ae1276ec");
    jest.spyOn(window, "open").mockReturnValue(null);
    await user.click(within(toast).getByRole("button", { name: "Monitor Progress" }));
    expect(window.open).toHaveBeenCalledWith("/queue-monitor", "_blank", "noopener");
  });

  it("says why nothing was queued", async () => {
    const sentence = "Every piece in this topic has an outline already.";
    const { user } = open({
      "POST /api/topics/7/generate-outline-queue": () => ({ status: 400, json: failure(sentence, "NOTHING_TO_DO") }),
    });
    await user.click(await screen.findByRole("button", { name: "Generate Topic Outline" }));
    expect(await screen.findByText(sentence)).toBeVisible();
  });
});
