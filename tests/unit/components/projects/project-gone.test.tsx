/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectScreen } from "@/components/projects/project-screen";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import { invalidate } from "@/lib/client/invalidation";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser, USER_ID } from "@/tests/support/user";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams() }));

const NO_STYLE = { tone: null, language: null, words: null, instructions: null };
const GARDEN = {
  id: 3,
  title: "Garden",
  description: null,
  userId: USER_ID,
  createdAt: "2026-01-05T12:00:00.000Z",
  writing: NO_STYLE,
};
const GONE = { status: 404, json: failure("This project was not found. It may have been deleted.", "NOT_FOUND") };

it.each([
  ["its own screen", <ProjectScreen key="project" projectId={3} />],
  ["its publishing screen", <ProjectPublishing key="publishing" projectId={3} />],
])("a project deleted in another tab is not found on %s", async (_where, shown) => {
  let project: { status?: number; json: unknown } = { json: GARDEN };
  mockApi({
    "GET /api/projects/3": () => project,
    "GET /api/projects/3/topics?description=300": () => ({ json: [] }),
    "GET /api/projects/3/buyer-persona": () => ({ json: null }),
    "GET /api/projects/3/content?limit=1000": () => ({ json: [] }),
  });
  const { client } = renderScreen(<AuthProvider user={someUser()}>{shown}</AuthProvider>);
  expect(await screen.findByRole("heading", { name: "Garden" })).toBeVisible();
  project = GONE;
  await act(async () => invalidate(client, [{ noun: "project", projectId: 3 }]));
  expect(await screen.findByText("This project does not exist or has been deleted.")).toBeVisible();
  expect(screen.queryByText("Failed to fetch project")).not.toBeInTheDocument();
});
