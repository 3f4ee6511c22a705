/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { type AssistantInput, assistantPrompt } from "@/lib/ai/prompts/assistant";
import { fenced, LABELS } from "@/lib/ai/prompts/shared";
import { sampleTurn } from "@/scripts/samples/ai/assistant";
import { mockApi, renderScreen } from "@/tests/support/render";
import { persona } from "@/tests/unit/lib/ai/inputs";

const PROJECT: AssistantInput["project"] = {
  id: 3,
  title: "Spring planting guide",
  description: null,
  persona,
  topics: [{ id: 7, name: "Late frost", description: "Dates and cloths.", keywords: ["frost cloth"] }],
};

function answerTo(message: string, project: AssistantInput["project"], toolResult?: object) {
  const { messages } = assistantPrompt({ project, history: [], message, maxActions: 10 });
  const result = toolResult && { role: "tool", content: fenced(LABELS.toolResult, JSON.stringify(toolResult)) };
  return sampleTurn({ model: "tiny", messages: [...messages, ...(result ? [result] : [])] });
}

/** What the screen suggests asking. */
async function suggestionsFor(projectId: number | null): Promise<string[]> {
  mockApi({
    "POST /api/chat/start": () => ({
      json: { response: "Hello!", type: "chat", sessionId: "6f6d2b1c-2f57-4f0a-9a39-8f2f1c0d9e11" },
    }),
  });
  renderScreen(<ConversationScreen projectId={projectId} />);
  const list = await screen.findByRole("list", { name: "Ideas to begin with" });
  return within(list)
    .getAllByRole("button")
    .map(({ textContent }) => textContent ?? "");
}

it.each([
  ["with a project", 3, PROJECT],
  ["without a project", null, null],
] as const)("answers everything that the screen suggests %s", async (_, projectId, project) => {
  const suggestions = await suggestionsFor(projectId);
  expect(suggestions).toHaveLength(3);
  for (const suggestion of suggestions) {
    const { text, calls = [] } = answerTo(suggestion, project);
    expect([suggestion, text ?? calls[0]?.name]).not.toEqual([
      suggestion,
      expect.stringContaining("Try: create a topic"),
    ]);
  }
});

it("suggests topics that the project does not have, and adds them on request", () => {
  const { text } = answerTo("Suggest three topics for this project, with five keywords each.", PROJECT);
  const { calls = [] } = answerTo("Yes, add them please.", PROJECT);
  const topics = calls.flatMap(({ name, input }) =>
    name === "create_topic" ? [(input as { name: string }).name] : [],
  );
  expect(topics).toHaveLength(3);
  for (const name of topics) expect(text).toContain(`**${name}**`);
  const keywords = calls.flatMap(({ name, input }) =>
    name === "add_keywords" ? [(input as { keywords: string[] }).keywords] : [],
  );
  expect(keywords.map(({ length }) => length)).toEqual([5, 5, 5]);
  const known = topics.map((name, id) => ({ id, name, description: "", keywords: [] }));
  const again = answerTo("Suggest three topics for this project.", { ...PROJECT, topics: known } as typeof PROJECT);
  for (const name of topics) expect(again.text).not.toContain(`**${name}**`);
});

it("creates the blog's project, and lists the projects that there are", () => {
  const { calls } = answerTo("Create a project for a blog about balcony gardening.", null);
  expect(calls).toEqual([{ name: "create_project", input: { title: "Balcony gardening" } }]);
  expect(answerTo("List my projects.", null).calls).toEqual([{ name: "list_projects", input: {} }]);
  const listed = {
    ok: true,
    projects: [
      { id: 1, title: "Soap" },
      { id: 2, title: "Candles" },
    ],
  };
  expect(answerTo("List my projects.", null, listed).text).toContain("- Soap\n- Candles");
});
