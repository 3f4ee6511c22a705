/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { TopicsSection } from "@/components/topics/topics-section";
import { aTopic } from "@/tests/support/pieces";
import { mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
beforeEach(() => window.history.replaceState(null, "", "/projects/3?topic=7"));
afterEach(() => window.history.replaceState(null, "", "/"));

/** Deletes the open one of two topics, with the server's response pending. */
async function deleteTopic() {
  const held = pendingAnswer();
  const server = { topics: [aTopic(), aTopic({ id: 8, name: "Compost" })] };
  mockApi({
    "GET /api/projects/3/topics?description=300": () => ({ json: server.topics }),
    "GET /api/topics/7/keywords": () => ({ json: [] }),
    "GET /api/projects/3/topics/7/content?limit=50": () => ({ json: [] }),
    "DELETE /api/topics/7": held.answer,
  });
  const { user } = renderScreen(<TopicsSection projectId={3} />);
  await user.click(await screen.findByLabelText("Actions for Seed starting indoors"));
  await user.click(await screen.findByText("Delete Topic"));
  const question = screen.getByRole("alertdialog");
  expect(question).toHaveTextContent("“Seed starting indoors” will be removed with all of its keywords and content.");
  await user.click(within(question).getByText("Delete"));
  await waitFor(() => expect(screen.queryByText(/^Seed starting indoors/)).not.toBeInTheDocument());
  expect(screen.getByText(/^Topics & Keywords/)).toHaveTextContent("Topics & Keywords 1");
  return { ...held, server };
}

it("removes the topic before the server answers, and restores it open when refused", async () => {
  const { give } = await deleteTopic();
  give({ status: 500, json: {} });
  expect(await screen.findByText("Failed to delete topic")).toBeVisible();
  const name = await screen.findByText(/^Seed starting indoors/);
  expect(name.closest("button")).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByText(/^Topics & Keywords/)).toHaveTextContent("Topics & Keywords 2");
});

it("keeps the topic removed once the server confirms", async () => {
  const { give, server } = await deleteTopic();
  server.topics = [];
  give({ status: 204 });
  expect(await screen.findByText("Topic deleted successfully")).toBeVisible();
  expect(await screen.findByText(/A topic is one corner of your subject/)).toBeVisible();
});
