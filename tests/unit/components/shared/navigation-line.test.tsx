/** @jest-environment jsdom */
import { act, render, screen } from "@testing-library/react";
import { Component, type ReactNode, Suspense, startTransition, use, useState } from "react";
import { NavigationLine } from "@/components/shared/navigation-line";
import { onRouterTransitionStart } from "@/instrumentation-client";

jest.mock("@/lib/client/screen-memory");

/** A stand-in for the router: a page that is still loading suspends, as in Next. */
let go: (page: Promise<string>) => void = () => undefined;

function Router() {
  const [page, setPage] = useState<Promise<string> | string>("the first page");
  go = setPage;
  return <p>{typeof page === "string" ? page : use(page)}</p>;
}

/** A page that the server has not sent yet. */
function pendingPage() {
  let arrive: (words: string) => void = () => undefined;
  let fail: (reason: Error) => void = () => undefined;
  const page = new Promise<string>((resolve, reject) => {
    arrive = resolve;
    fail = reject;
  });
  return { page, arrive, fail };
}

function begin(page: Promise<string>) {
  startTransition(() => {
    onRouterTransitionStart("/content", "push");
    go(page);
  });
}

async function navigate(page: Promise<string>) {
  await act(async () => begin(page));
  await settle();
}

/** Long enough for everything deferred to the next task. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

function open() {
  render(
    <>
      <NavigationLine />
      <Suspense fallback="a fallback">
        <Router />
      </Suspense>
    </>,
  );
}

const line = () => screen.queryByRole("progressbar", { name: "Loading page" });

it("shows over the current page while the next one loads", async () => {
  open();
  expect(line()).toBeNull();
  const { page, arrive } = pendingPage();
  await navigate(page);
  expect(line()).toBeVisible();
  expect(screen.getByText("the first page")).toBeVisible();
  await act(async () => arrive("the second page"));
  expect(line()).toBeNull();
  expect(screen.getByText("the second page")).toBeVisible();
});

it("stays until the last of several pages has loaded", async () => {
  open();
  const [first, second] = [pendingPage(), pendingPage()];
  await navigate(first.page);
  await navigate(second.page);
  await act(async () => first.arrive("never drawn"));
  expect(line()).toBeVisible();
  await act(async () => second.arrive("the second page"));
  expect(line()).toBeNull();
});

it("disappears when there is nothing to wait for", async () => {
  open();
  await act(async () => startTransition(() => onRouterTransitionStart("/content", "push")));
  await settle();
  expect(line()).toBeNull();
});

it("disappears when the page fails", async () => {
  jest.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <>
      <NavigationLine />
      <Boundary>
        <Router />
      </Boundary>
    </>,
  );
  const { page, fail } = pendingPage();
  await navigate(page);
  expect(line()).toBeVisible();
  await act(async () => fail(new Error("no answer")));
  expect(screen.getByText("a failure")).toBeVisible();
  expect(line()).toBeNull();
});

class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render = () => (this.state.hasFailed ? "a failure" : this.props.children);
}

it("shows while the browser itself loads a page", () => {
  jest.useFakeTimers();
  open();
  window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  act(() => jest.runAllTimers());
  expect(line()).toBeVisible();
  // Back to this page, which the browser restores from its cache.
  act(() => void window.dispatchEvent(new Event("pageshow")));
  expect(line()).toBeNull();
  jest.useRealTimers();
});

it("stays hidden while the browser asks about unsaved text", () => {
  jest.useFakeTimers();
  open();
  const ask = (event: Event) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  act(() => jest.runAllTimers());
  expect(line()).toBeNull();
  window.removeEventListener("beforeunload", ask);
  jest.useRealTimers();
});

it("tolerates navigations before it mounts and after it unmounts", async () => {
  startTransition(() => onRouterTransitionStart("/content", "push"));
  const { unmount } = render(<NavigationLine />);
  unmount();
  startTransition(() => onRouterTransitionStart("/content", "push"));
  await settle();
  expect(line()).toBeNull();
});
