/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { EditProjectForm } from "@/components/projects/edit-project-form";
import { NewProjectForm } from "@/components/projects/new-project-form";
import { ProjectScreen } from "@/components/projects/project-screen";
import { createProjectAction } from "@/lib/features/projects/actions";
import { mockApi, renderScreen } from "@/tests/support/render";
import { aSite, GARDEN_BLOG, SHOP } from "@/tests/support/sites";

jest.mock("next/navigation", () => ({
  useRouter: () => ({ push: jest.fn() }),
  useSearchParams: () => new URLSearchParams(),
}));
jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));
jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: jest.fn() }));
const create = jest.mocked(createProjectAction);

const GARDEN = {
  id: 3,
  title: "Garden",
  description: null,
  siteId: null as string | null,
  createdAt: "2026-11-03T10:00:00.000Z",
  writing: { tone: null, language: null, words: null, instructions: null },
};
const GONE = aSite({ name: "Gone", url: null, hasPassword: false });

const select = () => screen.findByRole("combobox", { name: "Site" });

async function chooseSite(user: UserEvent, name: string) {
  await user.click(await select());
  await user.click(await screen.findByRole("option", { name }));
}

describe("a new project", () => {
  beforeEach(() => {
    create.mockReset();
    create.mockResolvedValue({ ok: true, data: { ...GARDEN, userId: "maren" } });
  });

  async function open(sites = [GARDEN_BLOG, SHOP]) {
    mockApi({ "GET /api/sites": () => ({ json: sites }) });
    const { user } = renderScreen(<NewProjectForm open onOpenChange={jest.fn()} />);
    await user.type(await screen.findByLabelText("Title"), "Garden");
    return user;
  }

  it.each([
    ["one site", [GARDEN_BLOG]],
    ["one connected site", [GARDEN_BLOG, GONE]],
    ["no site", []],
  ])("is asked for no site where there is %s", async (_which, sites) => {
    const user = await open(sites);
    await user.click(screen.getByRole("button", { name: "Create Project" }));
    await waitFor(() => expect(create).toHaveBeenCalled());
    expect(screen.queryByRole("combobox", { name: "Site" })).not.toBeInTheDocument();
    expect(create.mock.calls[0]?.[0]).not.toHaveProperty("siteId");
  });

  it("is on the default site unless another one is chosen", async () => {
    const user = await open();
    expect(await select()).toHaveTextContent("Garden blog");
    await user.click(screen.getByRole("button", { name: "Create Project" }));
    await waitFor(() => expect(create).toHaveBeenCalledWith(expect.objectContaining({ siteId: GARDEN_BLOG.id })));
  });

  it("is made on the site that is chosen, as a creation of its own", async () => {
    const user = await open();
    await select();
    const key = () => document.querySelector<HTMLInputElement>("input[name='idempotencyKey']")?.value;
    const before = key();
    await chooseSite(user, "Shop");
    expect(key()).toBeDefined();
    expect(key()).not.toBe(before);
    await user.click(screen.getByRole("button", { name: "Create Project" }));
    await waitFor(() => expect(create).toHaveBeenCalledWith(expect.objectContaining({ siteId: SHOP.id })));
  });
});

describe("a project's site", () => {
  async function edit({
    project = GARDEN,
    sites = [GARDEN_BLOG, SHOP],
    counts = [{ projectId: 3, live: 12 }] as unknown,
  } = {}) {
    const calls = mockApi({
      "GET /api/sites": () => ({ json: sites }),
      "GET /api/projects/3": () => ({ json: project }),
      "PATCH /api/projects/3": (body) => ({ json: { ...project, ...(body as object) } }),
      ...(counts ? { "GET /api/publishing-counts": () => ({ json: counts }) } : {}),
    });
    const onOpenChange = jest.fn();
    const { user } = renderScreen(<EditProjectForm projectId={3} open onOpenChange={onOpenChange} />);
    await screen.findByLabelText("Title");
    const save = () => user.click(screen.getByRole("button", { name: "Save Project" }));
    return {
      user,
      save,
      onOpenChange,
      sent: () => calls.filter(({ method }) => method === "PATCH").map(({ body }) => body),
    };
  }

  const question = () => screen.findByRole("alertdialog", { name: "Move this project to another site?" });

  it("is not sent while it is not changed, so that the project goes on following the default site", async () => {
    const { save, sent } = await edit();
    expect(await select()).toHaveTextContent("Garden blog");
    await save();
    await waitFor(() => expect(sent()).toEqual([{ title: "Garden", description: "" }]));
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("is changed once the user knows what stays where", async () => {
    const { user, save, sent, onOpenChange } = await edit();
    await chooseSite(user, "Shop");
    await save();
    expect(await question()).toHaveTextContent(
      "Its 12 live posts stay on Garden blog, unmanaged from here until it moves back. On Shop nothing of it exists yet",
    );
    expect(sent()).toEqual([]);
    await user.click(within(await question()).getByRole("button", { name: "Move Project" }));
    await waitFor(() => expect(sent()).toEqual([{ title: "Garden", description: "", siteId: SHOP.id }]));
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  });

  it("stays after Cancel, and can be changed again", async () => {
    const { user, save, sent } = await edit();
    await chooseSite(user, "Shop");
    await save();
    await user.click(within(await question()).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(sent()).toEqual([]);
    await save();
    expect(await question()).toBeVisible();
  });

  it.each([
    ["one live post", [{ projectId: 3, live: 1 }], "Its live post stays on Garden blog"],
    ["no live post", [], "Nothing of it is live on Garden blog."],
    ["live posts that are not counted yet", null, "Its live posts stay on Garden blog"],
  ])("is asked about with %s", async (_which, counts, words) => {
    const { user, save } = await edit({ counts });
    await chooseSite(user, "Shop");
    await save();
    await waitFor(async () => expect(await question()).toHaveTextContent(words));
  });

  it("is offered though it is not connected any more, and so is the way to another one", async () => {
    const { user, save, sent } = await edit({ sites: [GARDEN_BLOG, GONE], project: { ...GARDEN, siteId: GONE.id } });
    expect(await select()).toHaveTextContent("Gone (not connected)");
    await chooseSite(user, "Garden blog");
    await save();
    await user.click(within(await question()).getByRole("button", { name: "Move Project" }));
    await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ siteId: GARDEN_BLOG.id })]));
  });

  it("counts as unsaved when it was changed", async () => {
    const { user } = await edit();
    await chooseSite(user, "Shop");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByRole("alertdialog", { name: "Discard what you typed?" })).toBeVisible();
  });

  it.each([
    ["is named on the project's screen where there are several", [GARDEN_BLOG, SHOP], 1],
    ["is not named where it is the only one", [GARDEN_BLOG], 0],
  ])("%s", async (_what, sites, times) => {
    mockApi({
      "GET /api/sites": () => ({ json: sites }),
      "GET /api/projects/3": () => ({ json: { ...GARDEN, siteId: sites.at(-1)?.id } }),
    });
    renderScreen(<ProjectScreen projectId={3} />);
    await screen.findByRole("heading", { level: 1, name: "Garden" });
    await waitFor(() => expect(screen.queryAllByText("Published on", { exact: false })).toHaveLength(times));
    expect(screen.queryAllByText("Shop")).toHaveLength(times);
  });
});
