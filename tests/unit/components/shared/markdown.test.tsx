/** @jest-environment jsdom */
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Markdown } from "@/components/shared/markdown";
import { previewWorkers, resetPreviewWorkers } from "@/tests/support/pretended-workers";

beforeEach(resetPreviewWorkers);

const LONG = 10_001;
/** A text with this beginning, long enough for a worker. */
const long = (beginning: string) => `${beginning}\n\n${"word ".repeat(LONG / 5)}`;

function show(text: string) {
  return <Markdown text={text} pending={<p>Wait.</p>} renderProblem={(problem) => <p role="alert">{problem}</p>} />;
}

/** Waits for the worker and for React. */
async function settle(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

describe("a short text", () => {
  it("is shown at once, without a worker", () => {
    const { rerender } = render(show("Some **bold** text"));
    expect(screen.getByText("bold").tagName).toBe("STRONG");
    rerender(show("Some **other** text"));
    expect(screen.getByText("other").tagName).toBe("STRONG");
    expect(previewWorkers.started).toBe(0);
  });

  it("opens its links in a new tab, and footnotes on the page", () => {
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
    const { container } = render(show('# a\n\n> ب\n\n- c\n\n| d |\n| - |\n\n![e](https://a.example/e.png "ف")'));
    const blocks = [...container.querySelectorAll("h1, blockquote, ul, table, figcaption")];
    expect(blocks.map((block) => [block.tagName, block.getAttribute("dir")])).toEqual([
      ["H1", "auto"],
      ["BLOCKQUOTE", "auto"],
      ["UL", "auto"],
      ["TABLE", "auto"],
      ["FIGCAPTION", "auto"],
    ]);
  });

  it("shows a picture's caption under it, as the text that it is, and names the service of an embed", () => {
    render(show('[![a](https://a.example/b.png "*C* <b>")](https://a.example)\n\nhttps://youtu.be/a1'));
    const [picture, embed] = screen.getAllByRole("figure");
    expect(picture?.lastElementChild).toHaveTextContent("*C* <b>");
    expect(picture?.lastElementChild?.tagName).toBe("FIGCAPTION");
    expect(screen.getByRole("img", { name: "a" })).not.toHaveAttribute("title");
    expect(embed).toHaveTextContent("YouTube embed");
  });

  it.each(["[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "![x](data:text/html,x)", "<script>1</script>"])(
    "removes active content from %s",
    (text) => {
      const { container } = render(show(`a ${text}`));
      expect(container.querySelectorAll("script, img[src], [href], [onerror]")).toHaveLength(0);
    },
  );

  it("names the part that is too complex", () => {
    const cells = "-|".repeat(316);
    render(show(`|${cells}\n|${cells}\na`));
    expect(screen.getByRole("alert")).toHaveTextContent("This text has a table of 316 columns; at most 250");
  });
});

describe("a long text", () => {
  it("is rendered by a worker, which then ends", async () => {
    render(show(long("**bold**")));
    expect(screen.getByText("Wait.")).toBeVisible();
    await act(async () => undefined);
    expect(previewWorkers.live.size).toBe(1);
    await settle();
    expect(screen.getByText("bold").tagName).toBe("STRONG");
    expect(screen.queryByText("Wait.")).toBeNull();
    expect(previewWorkers.live.size).toBe(0);
  });

  it("keeps the previous text on the screen until it is ready, and skips outdated ones", async () => {
    const { rerender } = render(show("**older**"));
    rerender(show("**short**"));
    rerender(show(long("**first**")));
    rerender(show(long("**second**")));
    expect(screen.getByText("short")).toBeVisible();
    expect(screen.queryByText("Wait.")).toBeNull();
    expect(await screen.findByText("second")).toBeVisible();
    expect(screen.queryByText("first")).toBeNull();
    expect(previewWorkers.live.size).toBe(0);
  });

  it("ends its worker when it is unmounted", async () => {
    previewWorkers.behaviour = "hang";
    const { unmount } = render(show(long("a")));
    await settle();
    expect(previewWorkers.live.size).toBe(1);
    unmount();
    expect(previewWorkers.live.size).toBe(0);
  });

  it.each([
    ["hang", 10_100, "This text takes longer than 10 seconds to turn into HTML"],
    ["crash", 100, "Your browser gave up on turning this text into HTML. Divide the text"],
    ["forbidden", 100, "The preview could not be loaded, and your text is unchanged."],
    ["not there", 100, "The preview could not be loaded, and your text is unchanged. Check your connection"],
  ] as const)("says what to do when its worker fails: %s", async (behaviour, ms, sentence) => {
    jest.useFakeTimers();
    previewWorkers.behaviour = behaviour;
    render(show(long("a")));
    await act(() => jest.advanceTimersByTimeAsync(ms));
    expect(screen.getByRole("alert")).toHaveTextContent(sentence);
    expect(previewWorkers.live.size).toBe(0);
    jest.useRealTimers();
  });

  it.each([
    // A worker reports that it is ready right after its start.
    ["hang", 10_000, "This text takes longer than 10 seconds"],
    ["silent", 30_000, "The preview could not be loaded"],
  ] as const)("waits for its worker up to the time limit: %s", async (behaviour, ms, sentence) => {
    jest.useFakeTimers();
    previewWorkers.behaviour = behaviour;
    render(show(long("a")));
    await act(() => jest.advanceTimersByTimeAsync(ms - 1));
    expect(screen.queryByRole("alert")).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(1));
    expect(screen.getByRole("alert")).toHaveTextContent(sentence);
    jest.useRealTimers();
  });

  it("goes to a worker from 10,001 characters on", async () => {
    const { rerender } = render(show("a".repeat(10_000)));
    expect(previewWorkers.started).toBe(0);
    rerender(show("a".repeat(10_001)));
    await waitFor(() => expect(previewWorkers.started).toBe(1));
  });

  it("waits while two others are being rendered", async () => {
    render([1, 2, 3, 4].map((n) => <div key={n}>{show(long(`**text ${n}**`))}</div>));
    await act(async () => undefined);
    expect(previewWorkers.live.size).toBe(2);
    await settle();
    await settle();
    for (const n of [1, 2, 3, 4]) expect(screen.getByText(`text ${n}`)).toBeVisible();
  });

  it("is shown one part at a time, and moves the focus to each new part", async () => {
    const items = Array.from({ length: 4_000 }, (_, n) => `${n + 1}. item ${n + 1}`).join("\n");
    const { container } = render(show(items));
    await settle();
    const drawn = () => container.querySelectorAll("li").length;
    expect(await screen.findByText("This text is long: part 1 of 3 is shown.")).toBeVisible();
    expect(drawn()).toBeLessThan(1_500);
    const first = drawn();
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
