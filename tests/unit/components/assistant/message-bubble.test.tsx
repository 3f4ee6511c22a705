/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { MessageBubble } from "@/components/assistant/message-bubble";
import { previewWorkers, resetPreviewWorkers } from "@/tests/support/pretended-workers";

beforeEach(resetPreviewWorkers);

function bubble(content: string) {
  return (
    <MessageBubble
      entry={{ key: 1, role: "assistant", type: "chat", content }}
      disabled={false}
      onRetry={() => undefined}
    />
  );
}

it("renders Markdown", async () => {
  render(bubble("Some **bold** text"));
  expect((await screen.findByText("bold")).tagName).toBe("STRONG");
});

it("shows a long response as plain text until it is rendered", async () => {
  previewWorkers.behaviour = "hang";
  render(bubble(`Some **bold** text\n\n${"word ".repeat(4_000)}`));
  expect(await screen.findByText(/Some \*\*bold\*\* text/)).toBeVisible();
});

it("shows a response that is too complex as plain text", async () => {
  render(bubble(`${"> ".repeat(60)}too deep`));
  expect(await screen.findByText(/> > too deep/)).toBeVisible();
});
