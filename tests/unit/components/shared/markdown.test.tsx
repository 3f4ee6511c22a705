/** @jest-environment jsdom */
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Markdown } from "@/components/shared/markdown";
import { previewWorkers, resetPreviewWorkers } from "@/tests/support/start-preview-worker";

beforeEach(resetPreviewWorkers);

const LONG = 10_001;
/** A text that begins so, and is long enough for a worker. */
const long = (beginning: string) => `${beginning}\n\n${"word ".repeat(LONG / 5)}`;

function show(text: string) {
  return <Markdown text={text} pending={<p>Wait.</p>} refused={(problem) => <p role="alert">{problem}</p>} />;
}

/** The worker's turns, and React's. */
async function turns(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

describe("a short text", () => {
  it("is there at once, without a worker", () => {
    const { rerender } = render(show("Some **bold** text"));
    expect(screen.getByText("bold").tagName).toBe("STRONG");
    rerender(show("Some **other** text"));
    expect(screen.getByText("other").tagName).toBe("STRONG");
    expect(previewWorkers.started).toBe(0);
  });

  it("has links that open beside the editor, and those of footnotes within it", () => {
    render(show("[a](https://a.example), www.b.example and[^1]\n\n[^1]: note"));
    for (const name of ["a", "www.b.example"]) {
      const link = screen.getByRole("link", { name });
      expect([link.getAttribute("target"), link.getAttribute("rel")]).toEqual(["_blank", "noreferrer"]);
    }
    const reference = screen.getByRole("link", { name: "1" });
    expect(reference).not.toHaveAttribute("target");
    expect(document.querySelector(reference.getAttribute("href") ?? "")).toHaveTextContent("note");
  });

  it("gives each block the direction of its own script", () => {
    const { container } = render(show("# a\n\n> ب\n\n- c\n\n| d |\n| - |"));
    const blocks = [...container.querySelectorAll("h1, blockquote, ul, table")];
    expect(blocks.map((block) => [block.tagName, block.getAttribute("dir")])).toEqual([
      ["H1", "auto"],
      ["BLOCKQUOTE", "auto"],
      ["UL", "auto"],
      ["TABLE", "auto"],
    ]);
  });

  it.each(["[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "![x](data:text/html,x)", "<script>1</script>"])(
    "keeps nothing that runs of %s",
    (text) => {
      const { container } = render(show(`a ${text}`));
      expect(container.querySelectorAll("script, img[src], [href], [onerror]")).toHaveLength(0);
    },
  );

  it("says what is too complex in it", () => {
    const cells = "-|".repeat(316);
    render(show(`|${cells}\n|${cells}\na`));
    expect(screen.getByRole("alert")).toHaveTextContent("This text has a table of 316 columns; at most 250");
  });
});

describe("a long text", () => {
  it("comes from a worker, which ends then", async () => {
    render(show(long("**bold**")));
    expect(screen.getByText("Wait.")).toBeVisible();
    expect(previewWorkers.live.size).toBe(1);
    await turns();
    expect(screen.getByText("bold").tagName).toBe("STRONG");
    expect(screen.queryByText("Wait.")).toBeNull();
    expect(previewWorkers.live.size).toBe(0);
  });

  it("leaves the text before it on the screen until it has come, and the one before that to nobody", async () => {
    const { rerender } = render(show("**short**"));
    rerender(show(long("**first**")));
    rerender(show(long("**second**")));
    expect(screen.getByText("short")).toBeVisible();
    expect(screen.queryByText("Wait.")).toBeNull();
    await turns();
    expect(screen.getByText("second")).toBeVisible();
    expect(screen.queryByText("first")).toBeNull();
    expect(previewWorkers.live.size).toBe(0);
  });

  it("ends its worker with the screen", async () => {
    previewWorkers.behaviour = "hang";
    const { unmount } = render(show(long("a")));
    await turns();
    expect(previewWorkers.live.size).toBe(1);
    unmount();
    expect(previewWorkers.live.size).toBe(0);
  });

  it.each([
    ["hang", 10_100, "This text takes longer than 10 seconds to turn into HTML"],
    ["crash", 100, "Your browser gave up on turning this text into HTML. Divide the text"],
    ["forbidden", 100, "The preview could not be loaded, and your text is unchanged."],
    ["not there", 100, "The preview could not be loaded, and your text is unchanged. Check your connection"],
  ] as const)("says what to do of a worker that does: %s", async (behaviour, ms, sentence) => {
    jest.useFakeTimers();
    previewWorkers.behaviour = behaviour;
    render(show(long("a")));
    await act(() => jest.advanceTimersByTimeAsync(ms));
    expect(screen.getByRole("alert")).toHaveTextContent(sentence);
    expect(previewWorkers.live.size).toBe(0);
    jest.useRealTimers();
  });

  it("is worked on beside one other at most, and takes its turn when that is done", async () => {
    render([1, 2, 3, 4].map((n) => <div key={n}>{show(long(`**text ${n}**`))}</div>));
    expect(previewWorkers.live.size).toBe(2);
    await turns();
    await turns();
    for (const n of [1, 2, 3, 4]) expect(screen.getByText(`text ${n}`)).toBeVisible();
  });

  it("is drawn a part at a time, and reading goes on where the last one ended", async () => {
    const items = Array.from({ length: 4_000 }, (_, n) => `${n + 1}. item ${n + 1}`).join("\n");
    const { container } = render(show(items));
    await turns();
    const drawn = () => container.querySelectorAll("li").length;
    expect(drawn()).toBeLessThan(1_500);
    const first = drawn();
    expect(screen.getByText("This text is long: part 1 of 3 is shown.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(drawn()).toBeGreaterThan(first);
    expect(drawn()).toBeLessThan(3_000);
    const second = container.querySelectorAll("ol")[1];
    expect(second).toHaveFocus();
    expect(second).toHaveAttribute("start", String(first + 1));
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(drawn()).toBe(4_000);
    expect(screen.queryByRole("button")).toBeNull();
  });
});
