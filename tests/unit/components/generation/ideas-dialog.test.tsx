/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { IdeasDialog } from "@/components/generation/ideas-dialog";
import { aTopic } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

const PATH = "POST /api/projects/3/generate-content-ideas";

const TWO = [aTopic({ keywordCount: 8 }), aTopic({ id: 8, name: "Soil" })];

function open(answer: { status?: number; json?: unknown } = {}, topics = TWO) {
  const calls = mockApi({ [PATH]: () => answer });
  const onOpenChange = jest.fn();
  const { user } = renderScreen(<IdeasDialog projectId={3} topics={topics} open onOpenChange={onOpenChange} />);
  const submit = () => user.click(screen.getByRole("button", { name: "Create Content Ideas" }));
  const chooseTopic = async () => {
    await user.click(screen.getByRole("combobox", { name: "Topic" }));
    await user.click(screen.getByRole("option", { name: /Seed starting indoors/ }));
  };
  return { user, calls, onOpenChange, submit, chooseTopic, count: screen.getByLabelText("ideas per keyword") };
}

it("starts with three ideas per keyword and warns that it takes time", async () => {
  const { count } = open();
  // The focus starts on the select, which Radix then takes over.
  await act(async () => undefined);
  expect(count).toHaveValue(3);
  expect(screen.getByText("Don't close the window during execution, this may take up to 1 minute")).toBeVisible();
});

it("requires a topic and a number", async () => {
  const { user, submit, calls, count } = open();
  await user.clear(count);
  await submit();
  expect(screen.getByText("Please select a topic")).toBeVisible();
  expect(screen.getByText("Please select how many ideas per keyword")).toBeVisible();
  expect(calls).toEqual([]);
});

it.each(["0", "11", "2.5"])("refuses %s ideas per keyword", async (typed) => {
  const { user, submit, calls, chooseTopic, count } = open();
  await chooseTopic();
  await user.clear(count);
  await user.type(count, typed);
  await submit();
  expect(screen.getByText("Use 1 to 10.")).toBeVisible();
  expect(calls).toEqual([]);
});

it("sends numbers, shows the server's message and closes", async () => {
  const { user, submit, calls, chooseTopic, count, onOpenChange } = open({
    json: { message: "8 content ideas created.", contentIdeas: [] },
  });
  await chooseTopic();
  await user.clear(count);
  await user.type(count, "1");
  await submit();
  expect(await screen.findByText("8 content ideas created.")).toBeVisible();
  expect(calls[0]?.body).toEqual({ topicId: 7, ideasPerKeyword: 1 });
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

it("stays open on failure, with the server's message and a button to the settings", async () => {
  const sentence = "OpenAI API key not found. Please add your API key in the settings page.";
  const { submit, chooseTopic, onOpenChange } = open({ status: 400, json: failure(sentence, "MISSING_API_KEY") });
  await chooseTopic();
  await submit();
  expect(await screen.findByText("API Key Required")).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to Settings" })).toBeVisible();
  expect(onOpenChange).not.toHaveBeenCalled();
});

it("has the only topic chosen", async () => {
  const { submit, calls } = open({ json: { message: "Created.", contentIdeas: [] } }, [aTopic({ keywordCount: 8 })]);
  expect(screen.getByRole("combobox", { name: "Topic" })).toHaveTextContent("Seed starting indoors");
  await submit();
  expect(calls[0]?.body).toEqual({ topicId: 7, ideasPerKeyword: 3 });
});

it("says beside the button that the topic needs a keyword first", async () => {
  const { user, chooseTopic } = open();
  await user.click(screen.getByRole("combobox", { name: "Topic" }));
  await user.click(screen.getByRole("option", { name: /Soil/ }));
  const button = screen.getByRole("button", { name: "Create Content Ideas" });
  expect(button).toBeDisabled();
  expect(button).toHaveAccessibleDescription("This topic has no keyword yet.");
  await chooseTopic();
  expect(button).toBeEnabled();
});
