/** @jest-environment jsdom */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { TopicsSection } from "@/components/topics/topics-section";
import type { KeywordOut } from "@/lib/features/topics/schema";
import { aKeyword, aSummary, aTopic } from "@/tests/support/pieces";
import { closeToast, failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
beforeEach(() => window.history.replaceState(null, "", "/projects/3?topic=7"));
afterEach(() => window.history.replaceState(null, "", "/"));

const REFUSED = { status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") };

type Table = Parameters<typeof mockApi>[0];

/** The open topic, with a mock server that stores keywords; `table` overrides its answers. */
async function open(table: Table = {}) {
  const server = { keywords: [aKeyword(1, "heat mats"), aKeyword(2, "soil blocks")] };
  const calls = mockApi({
    "GET /api/projects/3/topics?description=300": () => ({ json: [aTopic({ keywordCount: server.keywords.length })] }),
    "GET /api/topics/7/keywords": () => ({ json: server.keywords }),
    "GET /api/projects/3/topics/7/content?limit=50": () => ({ json: [aSummary()] }),
    ...table,
  });
  const { user, client } = renderScreen(<TopicsSection projectId={3} />);
  await chip("heat mats");
  const writes = () => calls.filter(({ method }) => method !== "GET");
  return { user, client, server, calls, writes };
}

// By label: a query by role computes the name of every element on the page.
const BUTTON = { selector: "button" };
const chip = (keyword: string) => screen.findByLabelText(`Edit keyword ${keyword}`, BUTTON);
const noChip = (keyword: string) => screen.queryByLabelText(`Edit keyword ${keyword}`, BUTTON);
const keywords = () => screen.getByLabelText("Keywords of Seed starting indoors");
const head = () => screen.getByText(/^Seed starting indoors/).closest("button") as HTMLElement;
const addField = () => screen.getByLabelText("Add a keyword to Seed starting indoors");

describe("adding a keyword", () => {
  const ADD = "POST /api/topics/7/keywords";

  it("shows it in the list and the counts before the server answers, and frees the field", async () => {
    const { answer, give } = pendingAnswer();
    const { user, server } = await open({ [ADD]: answer });
    await user.type(addField(), "damping off{Enter}");
    expect(await within(keywords()).findByText("damping off")).toBeVisible();
    expect(noChip("damping off")).not.toBeInTheDocument();
    expect(head()).toHaveTextContent("3 keywords");
    expect(addField()).toHaveValue("");
    expect(addField()).toHaveFocus();
    expect(screen.queryByText("Keyword added successfully")).not.toBeInTheDocument();

    const added = aKeyword(9, "damping off");
    server.keywords = [added, ...server.keywords];
    give({ status: 201, json: added });
    expect(await screen.findByText("Keyword added successfully")).toBeVisible();
    expect(await chip("damping off")).toBeVisible();
    expect(within(keywords()).getAllByText("damping off")).toHaveLength(1);
  });

  it("removes it when refused, and puts its text back in the field", async () => {
    const { answer, give } = pendingAnswer();
    const { user } = await open({ [ADD]: answer });
    await user.type(addField(), "damping off{Enter}");
    await within(keywords()).findByText("damping off");
    give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    await waitFor(() =>
      expect(within(keywords()).queryByText("damping off", { selector: "li > span" })).not.toBeInTheDocument(),
    );
    expect(addField()).toHaveValue("damping off");
    expect(head()).toHaveTextContent("2 keywords");
  });

  it("restores a refused text once the field is empty again", async () => {
    const { answer, give } = pendingAnswer();
    const { user, writes } = await open({ [ADD]: answer });
    await user.type(addField(), "damping off{Enter}");
    await user.type(addField(), "peat");
    give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(addField()).toHaveValue("peat");
    await user.clear(addField());
    expect(addField()).toHaveValue("damping off");
    await user.type(addField(), "!{Enter}");
    expect(writes().map(({ body }) => body)).toEqual([{ keyword: "damping off" }, { keyword: "damping off!" }]);
  });

  it("sends it once, however often Enter is pressed", async () => {
    const { answer } = pendingAnswer();
    const { user, writes } = await open({ [ADD]: answer });
    await user.type(addField(), "damping off");
    const form = addField().closest("form") as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    await user.type(addField(), "damping off{Enter}");
    expect(writes()).toHaveLength(1);
    expect(within(keywords()).getAllByText("damping off", { selector: "li > span" })).toHaveLength(1);
  });
});

describe("editing a keyword", () => {
  const EDIT = "PATCH /api/keywords/1";

  it("shows the new text before the server answers, and reopens the edit with it when refused", async () => {
    const { answer, give } = pendingAnswer();
    const { user } = await open({ [EDIT]: answer });
    await user.click(await chip("heat mats"));
    await user.keyboard("warm mats{Enter}");
    await waitFor(async () => expect(await chip("warm mats")).toHaveFocus());
    give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    const field = await screen.findByLabelText("Edit keyword heat mats", { selector: "textarea" });
    expect(field).toHaveValue("warm mats");
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard("{Escape}");
    expect(await chip("heat mats")).toBeVisible();
  });

  it("does not take the focus from the field the user is typing in", async () => {
    const { answer, give } = pendingAnswer();
    const { user } = await open({ [EDIT]: answer });
    await user.click(await chip("heat mats"));
    await user.keyboard("warm mats{Enter}");
    await chip("warm mats");
    await user.type(addField(), "peat");
    give({ status: 500, json: {} });
    expect(await screen.findByText("Failed to update keyword")).toBeVisible();
    expect(await screen.findByLabelText("Edit keyword heat mats", { selector: "textarea" })).toHaveValue("warm mats");
    expect(addField()).toHaveFocus();
    expect(addField()).toHaveValue("peat");
  });

  it("keeps a refused text until its topic is reopened", async () => {
    const { answer, give } = pendingAnswer();
    const { user } = await open({ [EDIT]: answer });
    await user.click(await chip("heat mats"));
    await user.keyboard("warm mats{Enter}");
    await user.click(head());
    give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    await user.click(head());
    expect(await screen.findByLabelText("Edit keyword heat mats", { selector: "textarea" })).toHaveValue("warm mats");
  });
});

describe("deleting a keyword", () => {
  async function remove(user: Awaited<ReturnType<typeof open>>["user"], keyword: string) {
    await user.click(screen.getByLabelText(`Delete keyword ${keyword}`));
    await user.click(within(screen.getByRole("alertdialog")).getByText("Delete"));
  }

  it("removes it before the server answers; when refused, restores it and keeps what was added meanwhile", async () => {
    const { answer, give } = pendingAnswer();
    const { user, server, client } = await open({ "DELETE /api/keywords/1": answer });
    await remove(user, "heat mats");
    await waitFor(() => expect(noChip("heat mats")).not.toBeInTheDocument());
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    expect(head()).toHaveTextContent("1 keyword ·");

    server.keywords = [aKeyword(9, "from another tab"), ...server.keywords];
    await client.refetchQueries();
    expect(await chip("from another tab")).toBeVisible();
    expect(noChip("heat mats")).not.toBeInTheDocument();

    give({ status: 500, json: "Bad day" });
    expect(await screen.findByText("Failed to delete keyword: Internal Server Error")).toBeVisible();
    const shown = (await screen.findAllByLabelText(/^Edit keyword/)).map((each) => each.textContent);
    expect(shown).toEqual(["from another tab", "heat mats", "soil blocks"]);
    expect(head()).toHaveTextContent("3 keywords");
  });

  it("keeps it removed when another deletion is refused", async () => {
    const [first, second] = [pendingAnswer(), pendingAnswer()];
    const { user, server } = await open({
      "DELETE /api/keywords/1": first.answer,
      "DELETE /api/keywords/2": second.answer,
    });
    await remove(user, "heat mats");
    await waitFor(() => expect(noChip("heat mats")).not.toBeInTheDocument());
    await remove(user, "soil blocks");
    await waitFor(() => expect(noChip("soil blocks")).not.toBeInTheDocument());
    first.give(REFUSED);
    expect(await chip("heat mats")).toBeVisible();
    expect(noChip("soil blocks")).not.toBeInTheDocument();
    server.keywords = server.keywords.filter(({ id }: KeywordOut) => id !== 2);
    await closeToast("Failed to delete keyword: Service Unavailable");
    second.give({ status: 204 });
    expect(await screen.findByText("Keyword deleted successfully")).toBeVisible();
    expect(await chip("heat mats")).toBeVisible();
    expect(noChip("soil blocks")).not.toBeInTheDocument();
  });
});

describe("adding a suggestion", () => {
  const suggested = { saved: false, savedKeywords: [], keywords: ["grow lights", "peat-free mix"] };
  const SUGGEST = { "POST /api/topics/7/suggest-keywords": () => ({ json: suggested }) };
  const ADD = "POST /api/topics/7/add-suggested-keywords";
  const left = () =>
    screen
      .queryAllByRole("button", { name: /^Add (?!All|keyword|Topic|Content)/ })
      .map((each) => each.getAttribute("aria-label"));

  it("makes it a keyword before the server answers, and a suggestion in its old place when refused", async () => {
    const { answer, give } = pendingAnswer();
    const { user } = await open({ ...SUGGEST, [ADD]: answer });
    await user.click(screen.getByText("Show Suggestions"));
    await user.click(await screen.findByLabelText("Add grow lights"));
    await waitFor(() => expect(left()).toEqual(["Add peat-free mix"]));
    expect(within(keywords()).getByText("grow lights")).toBeVisible();
    expect(head()).toHaveTextContent("3 keywords");
    expect(screen.getByLabelText("Add peat-free mix")).toHaveFocus();
    await closeToast("AI generated keyword suggestions");
    give({ status: 500, json: {} });
    expect(await screen.findByText("Failed to add keywords")).toBeVisible();
    await waitFor(() => expect(left()).toEqual(["Add grow lights", "Add peat-free mix"]));
    expect(head()).toHaveTextContent("2 keywords");
  });

  it("closes the list with the last one, and reopens it when refused", async () => {
    const { answer, give } = pendingAnswer();
    const { user } = await open({ ...SUGGEST, [ADD]: answer });
    suggested.keywords = ["grow lights"];
    await user.click(screen.getByText("Show Suggestions"));
    await user.click(await screen.findByLabelText("Add grow lights"));
    await waitFor(() => expect(screen.queryByLabelText("Suggested keywords")).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByText("Show Suggestions")).toHaveFocus());
    await closeToast("AI generated keyword suggestions");
    give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(await screen.findByLabelText("Add grow lights")).toBeVisible();
  });
});
