/** @jest-environment jsdom */
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { PreviewPanel } from "@/components/content/preview-panel";
import { renderMarkdown } from "@/lib/markdown/render";

const WHOLE = { losses: [], lossesHeading: { current: null }, onGoTo: () => undefined };

it("shows in place of the body what makes it too complex, and what to do", async () => {
  const row = "a|".repeat(300);
  const body = `|${row}\n|${"-|".repeat(300)}\n${`|${row}\n`.repeat(100)}`;
  render(<PreviewPanel title="Wide" body={body} {...WHOLE} />);
  // The first text waits for the worker to load its code.
  const alert = await screen.findByRole("alert", {}, { timeout: 10_000 });
  expect(alert).toHaveTextContent("There is no preview of this text");
  expect(alert).toHaveTextContent(
    "This text has a table of 300 columns; at most 250 can be rendered. Divide it into narrower tables, then try again.",
  );
  expect(screen.getByRole("heading", { name: "Wide" })).toBeVisible();
});

it("says that a long text is being rendered, then shows it", async () => {
  render(<PreviewPanel title="Long" body={`**Begin**\n\n${"word ".repeat(4_000)}`} {...WHOLE} />);
  expect(await screen.findByText("The preview is loading")).toBeInTheDocument();
  expect(await screen.findByText("Begin", {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.queryByText("The preview is loading")).toBeNull();
});

describe("what will not appear", () => {
  function openList(body: string) {
    const onGoTo = jest.fn();
    const losses = renderMarkdown(body).losses;
    render(<PreviewPanel title="Lossy" body={body} {...WHOLE} losses={losses} onGoTo={onGoTo} />);
    const items = () => within(screen.getByRole("region", { name: "What will not appear" })).getAllByRole("listitem");
    return { user: userEvent.setup(), onGoTo, items };
  }

  it("is listed, each loss leading to its place", async () => {
    const { user, onGoTo, items } = openList("One <!-- note --> two.\n\n![Chart](chart.png)");
    expect(screen.getByRole("heading", { name: "What will not appear" })).toBeVisible();
    expect(items().map(({ textContent }) => textContent)).toEqual([
      "A comment is left out.",
      "The picture chart.png is not on the web. Upload it to your site and use its address.",
    ]);
    await user.click(screen.getByRole("button", { name: /chart\.png/ }));
    expect(onGoTo).toHaveBeenCalledWith(33);
    expect(screen.queryByRole("button", { name: /Show all/ })).not.toBeInTheDocument();
  });

  it("has no list where everything appears", () => {
    openList("One two.");
    expect(screen.queryByText("What will not appear")).not.toBeInTheDocument();
  });

  it("begins with five, and shows all on request, with the focus on the first new one", async () => {
    const { user, items } = openList("<!-- a -->\n\n".repeat(7));
    expect(items()).toHaveLength(5);
    expect(screen.queryByText(/listed/)).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Show all 7" }));
    expect(items()).toHaveLength(7);
    expect(screen.queryByRole("button", { name: /Show all/ })).not.toBeInTheDocument();
    await waitFor(() => expect(within(items()[5] as HTMLElement).getByRole("button")).toHaveFocus());
  });

  it("says that only the first hundred are listed", () => {
    openList("<!-- a -->\n\n".repeat(200));
    expect(screen.getByRole("button", { name: "Show all 100" })).toBeVisible();
    expect(screen.getByText("The first 100 are listed.")).toBeVisible();
  });
});
