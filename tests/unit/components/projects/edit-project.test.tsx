/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { ProjectScreen } from "@/components/projects/project-screen";
import { ProjectsSection } from "@/components/projects/projects-section";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({
  usePathname: () => "/projects/3",
  useSearchParams: () => new URLSearchParams(),
}));
jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));

const WHOLE = `${"Beds, soil and light. ".repeat(20)}The end.`;
const GARDEN = {
  id: 3,
  title: "Garden",
  description: WHOLE,
  createdAt: "2026-11-03T10:00:00.000Z",
  writing: { tone: null, language: null, words: null, instructions: null },
};

/** A server with one project, which lists have the start of its description of. */
function mockProject(table: Parameters<typeof mockApi>[0] = {}) {
  let stored = GARDEN;
  const sent: unknown[] = [];
  mockApi({
    "GET /api/projects?description=300": () => ({
      json: [{ ...stored, description: stored.description.slice(0, 300), descriptionCut: true }],
    }),
    "GET /api/projects/3": () => ({ json: stored }),
    "GET /api/projects/3/topics?description=300": () => ({ json: [] }),
    "GET /api/projects/3/buyer-persona": () => ({ json: null }),
    "PATCH /api/projects/3": (body) => {
      sent.push(body);
      stored = { ...stored, ...(body as object) };
      return { json: stored };
    },
    ...table,
  });
  return sent;
}

async function openFromCard(table?: Parameters<typeof mockApi>[0]) {
  const sent = mockProject(table);
  const { user } = renderScreen(<ProjectsSection />);
  const button = await screen.findByRole("button", { name: "Edit project Garden" });
  await user.click(button);
  return { user, sent, dialog: within(await screen.findByRole("dialog", { name: "Edit Project" })) };
}

it("edits a card's project with its whole description, and returns the focus to the card", async () => {
  const { user, sent, dialog } = await openFromCard();
  const title = await dialog.findByLabelText("Title");
  expect(title).toHaveValue("Garden");
  expect(title).toHaveFocus();
  expect(dialog.getByLabelText("Description")).toHaveValue(WHOLE);
  await user.type(title, "s of Kiel ");
  await user.click(dialog.getByRole("button", { name: "Save Project" }));
  expect(await screen.findByText("Project updated successfully")).toBeVisible();
  expect(sent).toEqual([{ title: "Gardens of Kiel", description: WHOLE }]);
  expect(await screen.findByRole("link", { name: "Gardens of Kiel" })).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Edit project Gardens of Kiel" })).toHaveFocus());
});

it("requires a title, and asks before it discards what was typed", async () => {
  const { user, sent, dialog } = await openFromCard();
  await user.clear(await dialog.findByLabelText("Title"));
  await user.click(dialog.getByRole("button", { name: "Save Project" }));
  expect(dialog.getByLabelText("Title")).toBeInvalid();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent).toEqual([]);
});

it("says that the project was deleted meanwhile", async () => {
  const gone = () => ({ status: 404, json: failure("This project was not found.", "NOT_FOUND") });
  const { dialog } = await openFromCard({ "GET /api/projects/3": gone });
  expect(await dialog.findByText("This project was not found.")).toBeVisible();
  expect(dialog.queryByRole("button", { name: "Save Project" })).not.toBeInTheDocument();
});

it("renames the project's screen, its breadcrumb and the browser tab", async () => {
  const sent = mockProject();
  const { user } = renderScreen(
    <>
      <Breadcrumb />
      <ProjectScreen projectId={3} />
    </>,
  );
  await user.click(await screen.findByRole("button", { name: "Edit project" }));
  const title = await screen.findByLabelText("Title");
  await user.clear(title);
  await user.type(title, "Balcony");
  await user.clear(screen.getByLabelText("Description"));
  await user.click(screen.getByRole("button", { name: "Save Project" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Balcony" })).toBeVisible();
  expect(sent).toEqual([{ title: "Balcony", description: "" }]);
  expect(screen.getByText("No description provided")).toBeVisible();
  expect(within(screen.getByRole("navigation", { name: "Breadcrumb" })).getByText("Balcony")).toBeVisible();
  expect(document.title).toBe("Balcony – Content Planner");
});
