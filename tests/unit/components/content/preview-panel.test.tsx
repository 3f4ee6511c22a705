/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { PreviewPanel } from "@/components/content/preview-panel";

it("shows in place of the body what makes it too complex, and what to do", async () => {
  const row = "a|".repeat(300);
  const body = `|${row}\n|${"-|".repeat(300)}\n${`|${row}\n`.repeat(100)}`;
  render(<PreviewPanel title="Wide" body={body} />);
  // The first text waits for the worker to load its code.
  const alert = await screen.findByRole("alert", {}, { timeout: 10_000 });
  expect(alert).toHaveTextContent("There is no preview of this text");
  expect(alert).toHaveTextContent(
    "This text has a table of 300 columns; at most 250 can be rendered. Divide it into narrower tables, then try again.",
  );
  expect(screen.getByRole("heading", { name: "Wide" })).toBeVisible();
});

it("says that a long text is being rendered, then shows it", async () => {
  render(<PreviewPanel title="Long" body={`**Begin**\n\n${"word ".repeat(4_000)}`} />);
  expect(await screen.findByText("The preview is loading")).toBeInTheDocument();
  expect(await screen.findByText("Begin", {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.queryByText("The preview is loading")).toBeNull();
});
