/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import { ProjectPicker } from "@/components/publishing/project-picker";
import { aPiece, aSummary } from "@/tests/support/pieces";
import { aJob } from "@/tests/support/publishing-jobs";
import { answer, jobServer, rowOf, type Table, USER, Visited } from "@/tests/support/publishing-screen";
import { failure, mockApi, pressAndConfirm, renderScreen } from "@/tests/support/render";
import { aSite, GARDEN_BLOG, SHOP } from "@/tests/support/sites";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: jest.fn() }));

const PROJECT = { id: 3, title: "Garden", description: null, siteId: SHOP.id, createdAt: "2026-11-03" };
const GONE = aSite({ name: "Gone", url: null, hasPassword: false });

const SEVERAL: Table = {
  "GET /api/sites": () => ({ json: [GARDEN_BLOG, SHOP] }),
  "GET /api/projects/3": () => ({ json: PROJECT }),
  [`GET /api/wordpress/categories?siteId=${SHOP.id}`]: () => ({ json: [{ id: 5, name: "Offers" }] }),
};

async function open(table: Table = {}, pieces?: Parameters<typeof answer>[1]) {
  const calls = answer({ ...SEVERAL, ...table }, pieces);
  const { user } = renderScreen(<Visited />);
  await screen.findByRole("button", { name: "Publish All Content" });
  return { user, calls };
}

describe("the publishing screen of a project on one of several sites", () => {
  it("names the site in its header and in the questions before it publishes", async () => {
    const { user } = await open();
    expect(await screen.findByText("WordPress Publishing to")).toHaveTextContent("WordPress Publishing to Shop");
    await user.click(screen.getByRole("button", { name: "Publish All Content" }));
    const question = await screen.findByRole("alertdialog", { name: "Publish all content?" });
    await waitFor(() => expect(question).toHaveTextContent("will be published on Shop."));
    expect(question).toHaveTextContent("each topic becomes a category on Shop if it is not there yet");
  });

  it("offers the categories of that site, and never asks for those of the default one", async () => {
    const { user, calls } = await open();
    await screen.findByText("WordPress Publishing to");
    await user.click(rowOf("Sowing").getByRole("button", { name: "Publish with Category" }));
    await user.click(await screen.findByRole("combobox", { name: "Category" }));
    expect(await screen.findByRole("option", { name: "Offers" })).toBeVisible();
    expect(screen.queryByRole("option", { name: "Guides" })).not.toBeInTheDocument();
    expect(calls.map(({ url }) => url)).not.toContain("/api/wordpress/categories");
  });

  it("reads the categories of that site to learn where its pieces are", async () => {
    const { calls } = await open({}, [aSummary({ id: "a", title: "Sowing", wpPlace: "unknown" })]);
    const asked = () => calls.map(({ url }) => url).filter((url) => url.startsWith("/api/wordpress/categories"));
    await waitFor(() => expect(asked()).toEqual([`/api/wordpress/categories?siteId=${SHOP.id}`]));
  });

  it("names the site in the toasts of what it did", async () => {
    const published = aPiece({ id: "b", status: "wp_published" });
    const { user } = await open({ "POST /api/content/b/publish": () => ({ json: published }) });
    await screen.findByText("WordPress Publishing to");
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(await screen.findByText("Content published to WordPress successfully (Shop)")).toBeVisible();
  });

  it("names the site in the toast at the end of a job", async () => {
    const server = jobServer();
    const { user } = await open(server.table);
    await screen.findByText("WordPress Publishing to");
    await user.click(screen.getByRole("button", { name: "Publish All Content" }));
    server.job = aJob({ status: "completed", totalItems: 3, completedItems: 3, liveItems: 3 });
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Publish All" }));
    server.job = aJob({ status: "completed", totalItems: 3, completedItems: 3, liveItems: 3 });
    expect(
      await screen.findByText("Successfully published 3 out of 3 content pieces (Shop)", {}, { timeout: 5_000 }),
    ).toBeVisible();
  });

  it("says in the server's words which site is not connected", async () => {
    const sentence = "Shop is not connected. Enter its address and password in Settings, or move the project.";
    const { user } = await open({
      "POST /api/content/b/publish": () => ({ status: 400, json: failure(sentence, "MISSING_CREDENTIALS") }),
    });
    await screen.findByText("WordPress Publishing to");
    await pressAndConfirm(user, rowOf("Watering").getByRole("button", { name: "Update" }));
    expect(await screen.findByText("Credentials Required")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    expect(screen.getByRole("button", { name: "Go to Settings" })).toBeVisible();
  });

  it("offers nothing while that site is not connected, though the default one is", async () => {
    answer({
      ...SEVERAL,
      "GET /api/sites": () => ({ json: [GARDEN_BLOG, GONE] }),
      "GET /api/projects/3": () => ({ json: { ...PROJECT, siteId: GONE.id } }),
    });
    renderScreen(<Visited />);
    expect(await screen.findByText("WordPress Credentials Required")).toBeVisible();
    expect(screen.getByText(/is not connected/)).toHaveTextContent("Gone is not connected.");
    expect(screen.getByRole("link", { name: "Go to Settings" })).toHaveAttribute("href", "/settings");
    expect(screen.queryByRole("button", { name: "Publish All Content" })).not.toBeInTheDocument();
  });

  it("publishes to a connected site though the default one is not connected", async () => {
    answer({ ...SEVERAL, "GET /api/sites": () => ({ json: [SHOP] }) });
    renderScreen(<Visited user={{ ...USER, wordpressUrl: null }} />);
    expect(await screen.findByRole("button", { name: "Publish All Content" })).toBeVisible();
  });
});

it("asks about the project's own site before a piece is unpublished", async () => {
  mockApi(SEVERAL);
  renderScreen(
    <SiteChangeDialog
      projectId={3}
      verb="unpublish"
      what={{ title: "Sowing" }}
      open
      onOpenChange={jest.fn()}
      onConfirm={jest.fn()}
    />,
  );
  const question = await screen.findByRole("alertdialog");
  await waitFor(() => expect(question).toHaveTextContent("will be unpublished from Shop."));
});

describe("the project picker", () => {
  const project = (id: number, title: string, siteId: string | null) => ({ ...PROJECT, id, title, siteId });

  async function pick(sites: unknown, user = USER) {
    mockApi({
      "GET /api/sites": () => ({ json: sites }),
      "GET /api/projects?description=300": () => ({
        json: [project(3, "Garden", null), project(4, "Tools", SHOP.id), project(5, "Old", GONE.id)],
      }),
      "GET /api/publishing-counts": () => ({ json: [] }),
    });
    renderScreen(
      <AuthProvider user={user}>
        <ProjectPicker />
      </AuthProvider>,
    );
    await screen.findByText("Garden");
  }

  const titlesIn = (place: HTMLElement) =>
    within(place)
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.querySelector("td")?.firstChild?.textContent);

  it("groups the projects by site, the default one first, and says which one is not connected", async () => {
    await pick([GARDEN_BLOG, SHOP, GONE]);
    await screen.findByRole("region", { name: "Shop" });
    const groups = screen.getAllByRole("region", { name: /^(Garden blog|Shop|Gone)$/ });
    expect(groups.map(titlesIn)).toEqual([["Garden"], ["Tools"], ["Old"]]);
    const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toEqual(["Garden blog", "Shop", "Gone"]);
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(/^WordPress Publishing$/);
    expect(within(groups[2] as HTMLElement).getByText("Not connected")).toBeVisible();
    expect(within(groups[2] as HTMLElement).getByRole("link", { name: "Go to Settings" })).toBeVisible();
    expect(within(groups[1] as HTMLElement).queryByText("Not connected")).not.toBeInTheDocument();
  });

  it("hides no project whose site it does not know", async () => {
    await pick([SHOP], someUser());
    await screen.findByRole("region", { name: "Shop" });
    expect(screen.getAllByRole("table").map(titlesIn)).toEqual([["Tools"], ["Garden", "Old"]]);
  });

  it("is one table where there is one site", async () => {
    await pick([GARDEN_BLOG]);
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("WordPress Publishing to Garden blog");
    expect(screen.getAllByRole("table")).toHaveLength(1);
    expect(screen.queryByRole("region", { name: "Garden blog" })).not.toBeInTheDocument();
  });
});
