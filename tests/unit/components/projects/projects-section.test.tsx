/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event";
import { ProjectsSection } from "@/components/projects/projects-section";
import { createProjectAction } from "@/lib/features/projects/actions";
import type { ProjectOut } from "@/lib/features/projects/schema";
import { expectLoadFailure, failure, mockApi, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

const push = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));
jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));
const create = jest.mocked(createProjectAction);

const GARDEN: ProjectOut = {
  id: 3,
  title: "Garden",
  description: "Beds and soil",
  userId: USER_ID,
  siteId: null,
  createdAt: "2026-11-03T23:30:00.000Z",
};
const TOOLS: ProjectOut = {
  id: 2,
  title: "Tools",
  description: null,
  userId: USER_ID,
  siteId: null,
  createdAt: "2026-10-19T10:00:00.000Z",
};

function list(...projects: ProjectOut[]) {
  return { "GET /api/projects?description=300": () => ({ json: [...projects] }) };
}

it("shows three placeholders while loading, then a card for each project", async () => {
  mockApi(list(GARDEN, TOOLS));
  renderScreen(<ProjectsSection />);
  expect(screen.getAllByTestId("project-placeholder")).toHaveLength(3);
  expect(await screen.findByRole("link", { name: "Garden" })).toHaveAttribute("href", "/projects/3");
  expect(screen.queryByTestId("project-placeholder")).not.toBeInTheDocument();
  const [garden, tools] = screen.getAllByRole("listitem");
  expect(garden).toHaveTextContent("Beds and soil");
  expect(garden).toHaveTextContent("Created: November 3, 2026");
  expect(tools).toHaveTextContent("No description");
});

it("explains what a project is while there are none", async () => {
  mockApi(list());
  renderScreen(<ProjectsSection />);
  expect(await screen.findByText(/A project holds the topics/)).toBeVisible();
  expect(screen.getAllByRole("button", { name: "New Project" })).toHaveLength(1);
});

it("says that the projects failed to load, and retries on demand", async () => {
  let isDown = true;
  mockApi({
    "GET /api/projects?description=300": () =>
      isDown ? { status: 503, json: failure("Not available right now.", "SERVICE_UNAVAILABLE") } : { json: [GARDEN] },
  });
  const { user } = renderScreen(<ProjectsSection />);
  await expectLoadFailure("Failed to fetch projects");
  expect(screen.getAllByText("Not available right now.")[0]).toBeVisible();
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Garden" })).toBeVisible();
});

describe("New Project", () => {
  it("creates the project, opens it, and is empty the next time", async () => {
    const projects = [TOOLS];
    mockApi({ "GET /api/projects?description=300": () => ({ json: [...projects] }) });
    create.mockImplementation(async () => {
      projects.unshift(GARDEN);
      return { ok: true, data: GARDEN };
    });
    const { user } = renderScreen(<ProjectsSection />);
    await user.click(await screen.findByRole("button", { name: "New Project" }));
    expect(screen.getByRole("dialog", { name: "Create New Project" })).toBeVisible();
    await user.type(screen.getByLabelText("Title"), "  Garden ");
    await user.type(screen.getByLabelText("Description"), "Beds and soil");
    await user.click(screen.getByRole("button", { name: "Create Project" }));
    expect(await screen.findByText("Project created successfully")).toBeVisible();
    const sent = { title: "Garden", description: "Beds and soil" };
    expect(create).toHaveBeenCalledWith({ ...sent, idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(push.mock.calls).toEqual([["/projects/3"]]);
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

    await user.click(screen.getByRole("button", { name: "New Project" }));
    expect(screen.getByLabelText("Title")).toHaveValue("");
  });

  it("keeps its idempotency key until something is typed, and has a new one the next time", async () => {
    mockApi(list(TOOLS));
    create.mockReset().mockRejectedValue(new TypeError("Failed to fetch"));
    const { user } = renderScreen(<ProjectsSection />);
    const submit = async () => {
      const calls = create.mock.calls.length;
      await user.click(screen.getByRole("button", { name: "Create Project" }));
      await waitFor(() => expect(create).toHaveBeenCalledTimes(calls + 1));
      await waitFor(() => expect(screen.getByRole("button", { name: "Create Project" })).toBeEnabled());
      return (create.mock.calls.at(-1)?.[0] as { idempotencyKey: string } | undefined)?.idempotencyKey;
    };
    await user.click(await screen.findByRole("button", { name: "New Project" }));
    await user.type(screen.getByLabelText("Title"), "Garden");
    const key = await submit();
    const hidden = document.querySelector('input[type="hidden"][name="idempotencyKey"]');
    expect(hidden).toHaveValue(key);
    expect(await submit()).toBe(key);
    await user.type(screen.getByLabelText("Title"), "s");
    const other = await submit();
    expect(other).not.toBe(key);
    create.mockResolvedValue({ ok: true, data: GARDEN });
    await user.click(screen.getByRole("button", { name: "Create Project" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "New Project" }));
    expect(document.querySelector('input[name="idempotencyKey"]')).not.toHaveValue(other);
  });

  it("requires a title", async () => {
    create.mockReset();
    mockApi(list(TOOLS));
    const { user } = renderScreen(<ProjectsSection />);
    await user.click(await screen.findByRole("button", { name: "New Project" }));
    await user.type(screen.getByLabelText("Title"), "   ");
    await user.click(screen.getByRole("button", { name: "Create Project" }));
    expect(screen.getByLabelText("Title")).toBeInvalid();
    expect(create).not.toHaveBeenCalled();
  });
});

describe("Delete Project", () => {
  async function ask(answers: Parameters<typeof mockApi>[0]) {
    const calls = mockApi(answers);
    const { user } = renderScreen(<ProjectsSection />);
    await user.click(await screen.findByRole("button", { name: "Delete project Garden" }));
    const dialog = screen.getByRole("alertdialog", { name: "Delete Project" });
    expect(dialog).toHaveTextContent("all its topics, keywords and content are removed with the project");
    return { calls, user, dialog };
  }

  it("deletes the project once confirmed", async () => {
    const projects = [GARDEN, TOOLS];
    const { user, dialog } = await ask({
      "GET /api/projects?description=300": () => ({ json: [...projects] }),
      "DELETE /api/projects/3": () => {
        projects.shift();
        return { status: 204 };
      },
    });
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Project deleted successfully")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("link", { name: "Garden" })).not.toBeInTheDocument());
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("closes on failure too, and says what went wrong", async () => {
    const { user, dialog } = await ask({
      ...list(GARDEN),
      "DELETE /api/projects/3": () => ({ status: 500, json: failure("Something went wrong.", "INTERNAL") }),
    });
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Something went wrong.")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(screen.getByRole("link", { name: "Garden" })).toBeVisible();
  });

  it("does nothing on Cancel", async () => {
    const { user, dialog, calls } = await ask(list(GARDEN));
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(calls.map(({ method }) => method)).toEqual(["GET"]);
  });
});

it("keeps the dialog and what was typed when the failure notification is closed", async () => {
  mockApi(list(TOOLS));
  const error = { error: "Not available.", type: "SERVICE_UNAVAILABLE" as const, status: 503, requestId: "r" };
  create.mockResolvedValue({ ok: false, error });
  renderScreen(<ProjectsSection />);
  // The open dialog disables pointer events; the style sheet, which jsdom lacks, restores them for notifications.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.click(await screen.findByRole("button", { name: "New Project" }));
  await user.type(screen.getByLabelText("Title"), "Garden");
  await user.click(screen.getByRole("button", { name: "Create Project" }));
  const notification = await screen.findByText("Not available.");
  const close = notification.closest("[data-sonner-toast]")?.querySelector("[data-close-button]");
  await user.click(close as Element);
  expect(screen.getByLabelText("Title")).toHaveValue("Garden");
});
