/** @jest-environment jsdom */
import { act, render, screen } from "@testing-library/react";
import { useCallback } from "react";
import { renderToString } from "react-dom/server";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";

let mockIsGone = false;
jest.mock("@/components/shared/window-follower", () => {
  if (mockIsGone) throw new Error("The connection is away");
  return jest.requireActual("@/components/shared/window-follower");
});

const LINE = 40;

function Lines({ count }: { count: number }) {
  const { first, end, before, after, listRef, follower, measure } = useVirtualWindow({
    count,
    keyOf: useCallback(String, []),
    estimate: useCallback(() => LINE, []),
  });
  return (
    <div ref={listRef} data-testid="list" style={{ paddingTop: before, paddingBottom: after }}>
      {follower}
      {Array.from({ length: end - first }, (_, at) => first + at).map((index) => (
        <p key={index} ref={measure} data-index={index}>
          line {index}
        </p>
      ))}
    </div>
  );
}

/** Waits for what is loaded lazily. */
async function settle(): Promise<void> {
  await act(() => new Promise((done) => setTimeout(done, 20)));
}

it("renders a short list in full", async () => {
  render(<Lines count={20} />);
  await settle();
  expect(screen.getAllByText(/^line/)).toHaveLength(20);
  expect(screen.getByTestId("list")).toHaveStyle({ paddingBottom: "0px" });
});

it("renders on the server what fills 900 pixels, eight more lines, and space for the rest", () => {
  const html = renderToString(<Lines count={1_000} />);
  const drawn = 23 + 8;
  expect(html.match(/data-index/g)).toHaveLength(drawn);
  expect(html).toContain(`padding-bottom:${(1_000 - drawn) * LINE}px`);
});

it("renders everything when the code that follows the window cannot be loaded", async () => {
  mockIsGone = true;
  render(<Lines count={300} />);
  await settle();
  expect(screen.getAllByText(/^line/)).toHaveLength(300);
});

it("renders what is near the window, wherever it is scrolled", async () => {
  mockIsGone = false;
  window.scrollTo = () => undefined;
  jest.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(LINE);
  const rect = () => ({ top: -window.scrollY, width: 100, height: LINE }) as DOMRect;
  jest.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(rect);
  render(<Lines count={1_000} />);
  await settle();
  expect(screen.getByText("line 0")).toBeInTheDocument();

  window.scrollY = 4_000;
  act(() => void window.dispatchEvent(new Event("scroll")));
  await settle();
  expect(screen.getByText("line 100")).toBeInTheDocument();
  expect(screen.queryByText("line 0")).toBeNull();
  expect(screen.getAllByText(/^line/).length).toBeLessThan(60);
  window.scrollY = 0;
});
