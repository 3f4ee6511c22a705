/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { ApiError, referenceOf } from "@/lib/client/api";
import { outcome, toast, toastError } from "@/lib/client/toast";
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

it("opens its address through an app link, which the leave guard can stop", async () => {
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

it("shows that everything is done already as no failure", async () => {
  renderScreen(<p />);
  act(() => toastError(new ApiError(400, "Every piece has a text.", true, "NOTHING_TO_DO"), { fallback: "Failed" }));
  expect(await screen.findByText("Nothing to do")).toBeVisible();
  expect(shown()[0]).toHaveTextContent("Every piece has a text.");
  expect(shown()[0]).not.toHaveClass("toast-destructive");
  expect(shown()[0]).toHaveAttribute("data-type", "info");
});

it.each([
  ["MISSING_API_KEY", "API Key Required", "No key.", true],
  ["MISSING_CREDENTIALS", "Credentials Required", "Add your credentials.", true],
  ["CONNECTION_ERROR", "Connection Error", "No key.", true],
  ["NOT_FOUND", "Error", "No key.", false],
] as const)("shows %s as '%s'", async (type, title, description, hasButton) => {
  renderScreen(<p />);
  act(() =>
    toastError(new ApiError(400, "No key.", true, type), {
      fallback: "Failed",
      ...(type === "MISSING_CREDENTIALS" ? { noCredentials: "Add your credentials." } : {}),
    }),
  );
  expect(await screen.findByText(title)).toBeVisible();
  const [notification] = shown();
  expect(notification).toHaveTextContent(description);
  expect(notification).toHaveClass("toast-destructive");
  const buttons = within(notification as HTMLElement).queryAllByRole("button", { name: "Go to Settings" });
  expect(buttons).toHaveLength(hasButton ? 1 : 0);
});

it("shows the server's sentence for missing credentials, and its detail, when the caller has no text for it", async () => {
  renderScreen(<p />);
  const error = new ApiError(400, "Add them.", true, "MISSING_CREDENTIALS", {}, { detail: "In your profile." });
  act(() => toastError(error, { fallback: "Failed", title: "Not published", note: "Site: Shop." }));
  expect(await screen.findByText("Add them. In your profile.")).toBeVisible();
  expect(screen.getByText("Credentials Required")).toBeVisible();
});

it("names the site after the sentence of any other failure", async () => {
  renderScreen(<p />);
  act(() => toastError(new ApiError(502, "It did not answer.", true), { fallback: "Failed", note: "Site: Shop." }));
  expect(await screen.findByText("It did not answer. Site: Shop.")).toBeVisible();
});

it.each([
  [new ApiError(400, "No key.", true, "MISSING_API_KEY"), "Credentials Required", "Add your credentials."],
  [
    new ApiError(500, "Failed: WordPress credentials not found", false),
    "Credentials Required",
    "Add your credentials.",
  ],
  [new ApiError(500, "<html>", false), "Error", "Failed"],
])("recognises that a site's credentials are missing, in a plain text too: %s", async (error, title, description) => {
  renderScreen(<p />);
  act(() => toastError(error, { fallback: "Failed", noCredentials: "Add your credentials." }));
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(description)).toBeVisible();
  expect(screen.queryAllByRole("button", { name: "Go to Settings" })).toHaveLength(title === "Error" ? 0 : 1);
});

it("opens an external address in a new window", async () => {
  const open = jest.spyOn(window, "open").mockReturnValue(null);
  const { user } = renderScreen(<p />);
  act(() => toast({ title: "Live", action: { label: "View", href: "https://blog.example.com/", newWindow: true } }));
  await user.click(await screen.findByRole("button", { name: "View" }));
  expect(open).toHaveBeenCalledWith("https://blog.example.com/", "_blank", "noopener");
});

it("quotes the request id of a server failure", async () => {
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

it("shows nothing for an aborted call", async () => {
  renderScreen(<p />);
  act(() => {
    toastError(new DOMException("The user aborted a request.", "AbortError"), { fallback: "Failed" });
    toastError(new Error("boom"), { fallback: "Failed for good" });
  });
  expect(await screen.findByText("Failed for good")).toBeVisible();
});

it("quotes the request id beside a button too", async () => {
  renderScreen(<p />);
  const details = { requestId: "1a2b3c4d-0000-4000-8000-000000000000" };
  act(() => toastError(new ApiError(502, "No site.", true, "CONNECTION_ERROR", {}, details), { fallback: "Failed" }));
  expect(await screen.findByText("Reference: 1a2b3c4d")).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to Settings" })).toBeVisible();
});

it.each(ERROR_TYPES)(
  "quotes the request id of %s in a stream (whose status is 200) exactly when it does in a call",
  (type) => {
    const { status } = new AppError(type);
    const failure = (answered: number) =>
      new ApiError(answered, "Failed.", true, type, {}, { requestId: "1a2b3c4d-x" });
    expect(referenceOf(failure(200))).toBe(status >= 500 ? "1a2b3c4d" : undefined);
    expect(referenceOf(failure(status))).toBe(referenceOf(failure(200)));
  },
);

it("says success only of what was done now, and when the rest was done", () => {
  const done = { title: "Success", description: "Outline generated." };
  expect(outcome({}, done)).toEqual(done);
  const at = new Date();
  at.setHours(14, 2);
  const said = outcome({ alreadyDoneAt: at.toISOString() }, done);
  expect(said).toEqual({
    title: "Already done",
    description: expect.stringMatching(/^This was already done at (2:02\sPM|14:02)\.$/),
    variant: "neutral",
  });
});
