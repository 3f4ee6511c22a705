/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { ApiError, referenceOf } from "@/lib/client/api";
import { toast, toastError } from "@/lib/client/toast";
import { AppError, ERROR_TYPES } from "@/lib/errors";
import { closeToast, renderScreen } from "@/tests/support/render";

function shown(): HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>("[data-sonner-toast]"));
}

it("can be closed", async () => {
  const { user } = renderScreen(<p />);
  act(() => toast({ title: "Saved" }));
  await screen.findByText("Saved");
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(shown()[0]).toHaveAttribute("data-removed", "true");
});

it("runs its action", async () => {
  const { user } = renderScreen(<p />);
  const onClick = jest.fn();
  act(() => toast({ title: "Queued", action: { label: "Monitor Progress", onClick } }));
  await user.click(await screen.findByRole("button", { name: "Monitor Progress" }));
  expect(onClick).toHaveBeenCalledTimes(1);
});

it("leads to its address by a link of the app, which loses nothing and can be held back", async () => {
  const { user } = renderScreen(<p />);
  act(() => toast({ title: "No key", action: { label: "Go to Settings", href: "/settings" } }));
  const followed: string[] = [];
  const follow = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    followed.push(new URL(event.target.href).pathname);
  };
  document.addEventListener("click", follow, { capture: true });
  await user.click(await screen.findByRole("button", { name: "Go to Settings" }));
  document.removeEventListener("click", follow, { capture: true });
  expect(followed).toEqual(["/settings"]);
  await waitFor(() => expect(shown()).toHaveLength(0));
});

it.each([
  ["MISSING_API_KEY", "API Key Required", "No key.", true],
  ["MISSING_CREDENTIALS", "Credentials Required", "Add your credentials.", true],
  ["CONNECTION_ERROR", "Connection Error", "No key.", true],
  ["NOT_FOUND", "Error", "No key.", false],
] as const)("tells %s as '%s'", async (type, title, description, hasWay) => {
  renderScreen(<p />);
  act(() =>
    toastError(new ApiError(400, "No key.", true, type), {
      fallback: "Failed",
      noCredentials: "Add your credentials.",
    }),
  );
  expect(await screen.findByText(title)).toBeVisible();
  const [notification] = shown();
  expect(notification).toHaveTextContent(description);
  expect(notification).toHaveClass("toast-destructive");
  const ways = within(notification as HTMLElement).queryAllByRole("button", { name: "Go to Settings" });
  expect(ways).toHaveLength(hasWay ? 1 : 0);
});

it("names the request of a failure of ours, so that it can be found in the log", async () => {
  renderScreen(<p />);
  const details = { requestId: "1a2b3c4d-0000-4000-8000-000000000000" };
  act(() => toastError(new ApiError(500, "Broken.", true, "INTERNAL", {}, details), { fallback: "Failed" }));
  expect(await screen.findByText("Reference: 1a2b3c4d")).toBeVisible();
  expect(screen.getByText("Broken.")).toBeVisible();
  await closeToast("Broken.");
  act(() => toastError(new ApiError(404, "Gone.", true, "NOT_FOUND", {}, details), { fallback: "Failed" }));
  expect(await screen.findByText("Gone.")).toBeVisible();
  expect(screen.queryByText(/^Reference/)).not.toBeInTheDocument();
});

it("says nothing of a call that was given up", async () => {
  renderScreen(<p />);
  act(() => {
    toastError(new DOMException("The user aborted a request.", "AbortError"), { fallback: "Failed" });
    toastError(new Error("boom"), { fallback: "Failed for good" });
  });
  expect(await screen.findByText("Failed for good")).toBeVisible();
});

it("names it beside the way out too", async () => {
  renderScreen(<p />);
  const details = { requestId: "1a2b3c4d-0000-4000-8000-000000000000" };
  act(() => toastError(new ApiError(502, "No site.", true, "CONNECTION_ERROR", {}, details), { fallback: "Failed" }));
  expect(await screen.findByText("Reference: 1a2b3c4d")).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to Settings" })).toBeVisible();
});

it.each(ERROR_TYPES)(
  "%s has a reference in a stream (whose status is 200) exactly where it has one in a call",
  (type) => {
    const { status } = new AppError(type);
    const failure = (answered: number) =>
      new ApiError(answered, "Failed.", true, type, {}, { requestId: "1a2b3c4d-x" });
    expect(referenceOf(failure(200))).toBe(status >= 500 ? "1a2b3c4d" : undefined);
    expect(referenceOf(failure(status))).toBe(referenceOf(failure(200)));
  },
);
