/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { IdeasDialog } from "@/components/generation/ideas-dialog";
import { KeywordList } from "@/components/topics/keyword-list";
import { CALL_MESSAGES } from "@/lib/errors";
import { aKeyword, aTopic } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

const SUGGEST = "POST /api/topics/7/suggest-keywords";

function open(table: Parameters<typeof mockApi>[0]) {
  mockApi({
    "GET /api/topics/7/keywords": () => ({ json: [] }),
    "GET /api/projects/3/topics?description=300": () => ({ json: [aTopic()] }),
    ...table,
  });
  return renderScreen(<KeywordList topic={aTopic()} />).user;
}

it("says that a keyword was added", async () => {
  const user = open({ "POST /api/topics/7/keywords": () => ({ status: 201, json: aKeyword(1, "heat mats") }) });
  await user.type(screen.getByRole("textbox", { name: /^Add a keyword/ }), "heat mats{Enter}");
  expect(await screen.findByText("Keyword added successfully")).toBeVisible();
  expect(screen.getByText("Success")).toBeVisible();
});

it.each([
  ["Show Suggestions", SUGGEST],
  ["Auto-Add Keywords", `${SUGGEST}?autoSave=true`],
])("says when %s fails", async (label, call) => {
  const user = open({ [call]: () => ({ status: 500, json: {} }) });
  await user.click(screen.getByRole("button", { name: label }));
  expect(await screen.findByText("Failed to suggest keywords")).toBeVisible();
});

it("offers the settings when suggestions need an API key", async () => {
  const sentence = "Please add your OpenAI API key in the settings page to use AI suggestions.";
  expect(CALL_MESSAGES.suggestionsNeedKey).toBe(sentence);
  const user = open({ [SUGGEST]: () => ({ status: 400, json: failure(sentence, "MISSING_API_KEY") }) });
  await user.click(screen.getByRole("button", { name: "Show Suggestions" }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to Settings" })).toBeVisible();
});

it("says that content ideas failed when the server sends no message", async () => {
  mockApi({ "POST /api/projects/3/generate-content-ideas": () => ({ status: 500, json: {} }) });
  const { user } = renderScreen(
    <IdeasDialog projectId={3} topics={[aTopic({ keywordCount: 8 })]} open onOpenChange={jest.fn()} />,
  );
  await user.click(screen.getByRole("button", { name: "Create Content Ideas" }));
  expect(await screen.findByText("Failed to generate content ideas")).toBeVisible();
});
