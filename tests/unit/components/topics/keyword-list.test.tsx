/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { KeywordList } from "@/components/topics/keyword-list";
import type { KeywordOut } from "@/lib/features/topics/schema";
import { aKeyword, aTopic } from "@/tests/support/pieces";
import { closeToast, failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

const LIST = "GET /api/topics/7/keywords";
const SUGGEST = "/api/topics/7/suggest-keywords";
const ADD = "POST /api/topics/7/add-suggested-keywords";

/** The list, with a mock server that stores keywords. */
function open(keywords: string[], table: Parameters<typeof mockApi>[0] = {}) {
  let stored: KeywordOut[] = keywords.map((keyword, index) => aKeyword(index + 1, keyword));
  const calls = mockApi({
    [LIST]: () => ({ json: stored }),
    "GET /api/projects/3/topics?description=300": () => ({ json: [aTopic()] }),
    "POST /api/topics/7/keywords": (body) => {
      const added = aKeyword(99, (body as { keyword: string }).keyword);
      stored = [added, ...stored];
      return { status: 201, json: added };
    },
    "PATCH /api/keywords/1": (body) => {
      const { keyword } = body as { keyword: string };
      stored = stored.map((each) => (each.id === 1 ? { ...each, keyword } : each));
      return { json: stored[0] };
    },
    "DELETE /api/keywords/1": () => {
      stored = stored.filter(({ id }) => id !== 1);
      return { status: 204 };
    },
    ...table,
  });
  const { user } = renderScreen(<KeywordList topic={aTopic()} />);
  return { user, writes: () => calls.filter(({ method }) => method !== "GET") };
}

async function editFirst(user: ReturnType<typeof open>["user"], typed: string) {
  await user.click(await screen.findByRole("button", { name: "Edit keyword leggy seedlings" }));
  const field = screen.getByRole("textbox", { name: "Edit keyword leggy seedlings" });
  await user.clear(field);
  await user.type(field, typed);
}

describe("a keyword", () => {
  it("is edited in place: Enter saves the trimmed text", async () => {
    const { user, writes } = open(["leggy seedlings"]);
    await editFirst(user, "  damping off {Enter}");
    expect(await screen.findByRole("button", { name: "Edit keyword damping off" })).toBeVisible();
    expect(writes()).toEqual([{ method: "PATCH", url: "/api/keywords/1", body: { keyword: "damping off" } }]);
    expect(await screen.findByText("Keyword updated successfully")).toBeVisible();
  });

  it("is not saved blank", async () => {
    const { user, writes } = open(["leggy seedlings"]);
    await editFirst(user, "   {Enter}");
    expect(screen.getByRole("button", { name: "Save keyword" })).toBeDisabled();
    expect(writes()).toEqual([]);
  });

  it("stays unchanged on Escape or when its text is the same", async () => {
    const { user, writes } = open(["leggy seedlings"]);
    await editFirst(user, "other{Escape}");
    expect(screen.getByRole("button", { name: "Edit keyword leggy seedlings" })).toBeVisible();
    await editFirst(user, "leggy seedlings{Enter}");
    expect(screen.getByRole("button", { name: "Edit keyword leggy seedlings" })).toBeVisible();
    expect(writes()).toEqual([]);
  });

  it("is deleted only once confirmed", async () => {
    const { user, writes } = open(["leggy seedlings"]);
    await user.click(await screen.findByRole("button", { name: "Delete keyword leggy seedlings" }));
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to delete this keyword?" });
    expect(writes()).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByText("leggy seedlings")).not.toBeInTheDocument());
    expect(await screen.findByText("Keyword deleted successfully")).toBeVisible();
  });

  it.each([
    ["Internal Server Error", { status: 500, json: "<html>Bad day</html>" }],
    ["Bad Gateway", { status: 502 }],
    ["Not Found", { status: 404, json: failure("This keyword was not found.", "NOT_FOUND") }],
    ["Status 599", { status: 599, json: "?" }],
  ])("shows the status text when it cannot be deleted: %s", async (statusText, answer) => {
    const { user } = open(["leggy seedlings"], { "DELETE /api/keywords/1": () => answer });
    await user.click(await screen.findByRole("button", { name: "Delete keyword leggy seedlings" }));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText(`Failed to delete keyword: ${statusText}`)).toBeVisible();
  });

  it("shows no status when its deletion gets no response", async () => {
    const { user } = open(["leggy seedlings"], {
      "DELETE /api/keywords/1": () => Promise.reject(new TypeError("Failed to fetch")),
    });
    await user.click(await screen.findByRole("button", { name: "Delete keyword leggy seedlings" }));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText(/^The server did not answer\./)).toBeVisible();
    expect(screen.queryByText(/Failed to/)).not.toBeInTheDocument();
  });

  it("is added trimmed on Enter, and not sent when blank", async () => {
    const { user, writes } = open([]);
    const field = screen.getByRole("textbox", { name: "Add a keyword to Seed starting indoors" });
    await user.type(field, "   {Enter}");
    expect(writes()).toEqual([]);
    await user.clear(field);
    await user.type(field, " bottom watering {Enter}");
    expect(await screen.findByRole("button", { name: "Edit keyword bottom watering" })).toBeVisible();
    await waitFor(() => expect(field).toHaveValue(""));
    expect(writes().map(({ body }) => body)).toEqual([{ keyword: "bottom watering" }]);
  });
});

describe("several keywords at once", () => {
  const field = () => screen.getByRole("textbox", { name: "Add a keyword to Seed starting indoors" });
  const button = (name: string) => screen.getByRole("button", { name });
  /** A topic that has "heat mats" already. */
  const table = {
    [ADD]: (body: unknown) => {
      const { keywords } = body as { keywords: string[] };
      return { json: { count: keywords.filter((keyword) => keyword !== "heat mats").length } };
    },
  };
  const paste = async (user: ReturnType<typeof open>["user"], text: string) => {
    await user.click(field());
    await user.paste(text);
  };

  it("are pasted one a line, added with one press, and counted without those that were there", async () => {
    const { user, writes } = open([], table);
    await paste(user, "soil blocks\r\nheat mats\r\n\r\n1,000 lux, or more for seedlings under a lamp\r\n");
    await user.click(button("Add 3 keywords"));
    expect(await screen.findByText("Added 2 keywords. 1 was in this topic already.")).toBeVisible();
    const keywords = ["soil blocks", "heat mats", "1,000 lux, or more for seedlings under a lamp"];
    expect(writes().map(({ body }) => body)).toEqual([{ keywords }]);
    await waitFor(() => expect(field()).toHaveValue(""));
    expect(field()).toHaveFocus();
  });

  it("are shown before commas separate them, which a held Enter does not confirm", async () => {
    const { user, writes } = open([], table);
    await user.type(field(), "soil blocks, heat mats; peat{Enter>3/}");
    const parts = within(screen.getByRole("list", { name: "Separate keywords" })).getAllByRole("listitem");
    expect(parts.map(({ textContent }) => textContent)).toEqual(["soil blocks", "heat mats", "peat"]);
    expect(writes()).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(field()).toHaveValue(""));
    expect(writes().map(({ body }) => body)).toEqual([{ keywords: ["soil blocks", "heat mats", "peat"] }]);
    expect(screen.queryByRole("list", { name: "Separate keywords" })).not.toBeInTheDocument();
  });

  it("are shown once each, and asked about where a line repeats a part", async () => {
    const { user, writes } = open([], table);
    await user.click(field());
    await user.paste("peat, heat mats\npeat");
    await user.keyboard("{Enter}");
    const parts = within(screen.getByRole("list", { name: "Separate keywords" })).getAllByRole("listitem");
    expect(parts.map(({ textContent }) => textContent)).toEqual(["peat", "heat mats"]);
    expect(writes()).toEqual([]);
  });

  it("are one if the user says so, or types on", async () => {
    const { user, writes } = open([], table);
    await user.type(field(), "restaurants in paris, france{Enter}");
    await user.type(field(), "!");
    expect(screen.queryByRole("button", { name: "Add as one" })).not.toBeInTheDocument();
    await user.type(field(), "{Backspace}{Enter}");
    await user.click(button("Add as one"));
    expect(await screen.findByText("Keyword added successfully")).toBeVisible();
    expect(writes().map(({ body }) => body)).toEqual([{ keyword: "restaurants in paris, france" }]);
  });

  it("are added up to a hundred, and the others and the longest stay in the field", async () => {
    const { user, writes } = open([], table);
    const long = "x".repeat(101);
    const many = Array.from({ length: 102 }, (_, at) => `keyword ${at}`);
    await paste(user, [long, ...many].join("\n"));
    expect(screen.getByText("1 of 103 is longer than 100 characters and stays here.")).toBeVisible();
    expect(screen.getByText("100 at a time: 2 of 103 stay here.")).toBeVisible();
    await user.click(button("Add 100 keywords"));
    expect(await screen.findByText("Added 100 keywords")).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ keywords: many.slice(0, 100) });
    await waitFor(() => expect(field()).toHaveValue(`keyword 100\nkeyword 101\n${long}`));
    await user.click(button("Add 2 keywords"));
    await waitFor(() => expect(field()).toHaveValue(long));
    expect(screen.getByText("A keyword has at most 100 characters.")).toBeVisible();
    await user.type(field(), "{Enter}");
    expect(button("Add keyword")).toBeDisabled();
    expect(writes()).toHaveLength(2);
  });

  it("come back to the field when they are refused, and go once meanwhile", async () => {
    const { answer, give } = pendingAnswer();
    const { user, writes } = open([], { [ADD]: answer });
    await paste(user, "soil blocks\nheat mats");
    await user.type(field(), "{Enter}{Enter}");
    await user.type(field(), "lost");
    give({ status: 400, json: failure("A topic can have at most 500 keywords.", "VALIDATION_ERROR") });
    expect(await screen.findByText("A topic can have at most 500 keywords.")).toBeVisible();
    expect(field()).toHaveValue("soil blocks\nheat mats");
    expect(writes()).toHaveLength(1);
  });
});

it("says that an edited keyword is too long, and neither cuts nor saves it", async () => {
  const { user, writes } = open(["leggy seedlings"]);
  await editFirst(user, "x");
  await user.paste("x".repeat(100));
  await user.keyboard("{Enter}");
  const edited = screen.getByRole("textbox", { name: "Edit keyword leggy seedlings" });
  expect(edited).toHaveValue("x".repeat(101));
  expect(edited).toHaveAccessibleDescription(/more than 100 characters/);
  expect(screen.getByRole("button", { name: "Save keyword" })).toBeDisabled();
  expect(writes()).toEqual([]);
});

describe("suggestions", () => {
  const suggested = { saved: false, savedKeywords: [], keywords: ["heat mats", "soil blocks", "peat-free mix"] };
  const table = {
    [`POST ${SUGGEST}`]: () => ({ json: suggested }),
    [ADD]: (body: unknown) => ({ json: { count: (body as { keywords: string[] }).keywords.length } }),
  };

  it("are requested once, then hidden and shown again", async () => {
    const { user, writes } = open([], table);
    await user.click(screen.getByRole("button", { name: "Show Suggestions" }));
    expect(await screen.findByText("3 suggestions")).toBeVisible();
    expect(screen.getByText("AI generated keyword suggestions")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Hide Suggestions" }));
    expect(screen.queryByText("heat mats")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Show Suggestions" }));
    expect(screen.getByText("heat mats")).toBeVisible();
    expect(writes()).toHaveLength(1);
  });

  it("leave the list one by one as they are added", async () => {
    const { user, writes } = open([], table);
    await user.click(screen.getByRole("button", { name: "Show Suggestions" }));
    await closeToast("AI generated keyword suggestions");
    await user.click(screen.getByRole("button", { name: "Add soil blocks" }));
    expect(await screen.findByText("2 suggestions")).toBeVisible();
    const list = within(screen.getByRole("region", { name: "Suggested keywords" }));
    expect(list.queryByText("soil blocks")).not.toBeInTheDocument();
    expect(writes().at(-1)?.body).toEqual({ keywords: ["soil blocks"] });
    expect(await screen.findByText("Added 1 keywords")).toBeVisible();
  });

  it("are added all at once, which empties and closes the list", async () => {
    const { user, writes } = open([], table);
    await user.click(screen.getByRole("button", { name: "Show Suggestions" }));
    await closeToast("AI generated keyword suggestions");
    await user.click(screen.getByRole("button", { name: "Add All" }));
    expect(await screen.findByText("Added 3 keywords")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("region", { name: "Suggested keywords" })).not.toBeInTheDocument());
    expect(writes().at(-1)?.body).toEqual({ keywords: suggested.keywords });
    expect(screen.getByRole("button", { name: "Show Suggestions" })).toHaveAttribute("aria-expanded", "false");
  });

  it("stay when adding them fails", async () => {
    const { user } = open([], { ...table, [ADD]: () => ({ status: 500, json: {} }) });
    await user.click(screen.getByRole("button", { name: "Show Suggestions" }));
    await closeToast("AI generated keyword suggestions");
    await user.click(screen.getByRole("button", { name: "Add All" }));
    expect(await screen.findByText("Failed to add keywords")).toBeVisible();
    expect(screen.getByText("3 suggestions")).toBeVisible();
  });

  it("are saved automatically with Auto-Add Keywords", async () => {
    const { user, writes } = open([], {
      [`POST ${SUGGEST}?autoSave=true`]: () => ({
        json: { saved: true, savedKeywords: [aKeyword(11, "a"), aKeyword(12, "b")], keywords: ["a", "b", "c"] },
      }),
    });
    await user.click(screen.getByRole("button", { name: "Auto-Add Keywords" }));
    expect(await screen.findByText("2 keywords added automatically")).toBeVisible();
    expect(writes()).toHaveLength(1);
  });

  it("are listed when they could not be saved, since they are paid for", async () => {
    const answer = { saved: false, savedKeywords: [], keywords: ["heat mats", "soil blocks"] };
    const { user } = open([], { [`POST ${SUGGEST}?autoSave=true`]: () => ({ json: answer }) });
    await user.click(screen.getByRole("button", { name: "Auto-Add Keywords" }));
    expect(
      await screen.findByText("The new keywords could not be saved. They are listed as suggestions."),
    ).toBeVisible();
    expect(screen.getByText("2 suggestions")).toBeVisible();
  });
});

it("shows the newest of many keywords, and all of them on demand", async () => {
  const { user } = open(Array.from({ length: 75 }, (_, at) => `keyword ${at}`));
  const chips = () => screen.getAllByRole("button", { name: /^Edit keyword/ });
  await screen.findByRole("button", { name: "Edit keyword keyword 59" });
  expect(chips()).toHaveLength(60);
  await user.click(screen.getByRole("button", { name: "Show all 75 keywords" }));
  expect(chips()).toHaveLength(75);
});
