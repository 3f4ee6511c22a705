/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { TopicAiActions } from "@/components/generation/topic-ai-actions";
import { toast } from "@/lib/client/toast";
import { closeToast, mockApi, renderScreen } from "@/tests/support/render";

const notification = () => document.querySelector<HTMLElement>("[data-sonner-toast]");

it("has a title and a description, in a default or a destructive style", async () => {
  renderScreen(<p />);
  act(() => toast({ title: "Success", description: "It is saved." }));
  expect(await screen.findByText("Success")).toBeVisible();
  expect(screen.getByText("It is saved.")).toBeVisible();
  expect(notification()).not.toHaveClass("toast-destructive");
  await closeToast("It is saved.");
  act(() => toast({ title: "Error", description: "It is not.", variant: "destructive" }));
  expect(await screen.findByText("Error")).toBeVisible();
  expect(notification()).toHaveClass("toast-destructive");
});

it("sets its text in the text's own direction", async () => {
  renderScreen(<p />);
  act(() => toast({ title: "Error", description: "המילה כבר קיימת.", variant: "destructive" }));
  expect(await screen.findByText("המילה כבר קיימת.")).toHaveAttribute("dir", "auto");
});

it("has a button with a border, which one sees on a white toast", async () => {
  renderScreen(<p />);
  act(() => toast({ title: "Removed", action: { label: "Undo", onClick: jest.fn() } }));
  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(undo).toHaveClass("border-border-strong");
  expect(undo).not.toHaveClass("border-transparent");
});

it("is at most 420px wide", async () => {
  renderScreen(<p />);
  act(() => toast({ title: "Success" }));
  await screen.findByText("Success");
  const area = document.querySelector<HTMLElement>("[data-sonner-toaster]");
  expect(area?.style.getPropertyValue("--width")).toBe("min(420px, calc(100vw - 32px))");
});

it.each(["Generate Topic Outline", "Write Topic Content with AI"])(
  "keeps the toast of %s for 5000 ms",
  async (label) => {
    jest.useFakeTimers();
    try {
      const queued = () => ({
        status: 202,
        json: { message: "1 queued.", jobId: "ae1276ec-0000-4000-8000-000000000000" },
      });
      mockApi({
        "POST /api/topics/7/generate-outline-queue": queued,
        "POST /api/topics/7/generate-all-content-queue": queued,
        "GET /api/queue/status": () => ({ json: { jobs: [], outlineQueue: [], contentQueue: [] } }),
      });
      const { unmount } = renderScreen(<TopicAiActions topic={{ id: 7, projectId: 3 }} name="Seeds" />);
      await act(async () => screen.getByRole("button", { name: label }).click());
      await act(() => jest.advanceTimersByTimeAsync(100));
      expect(notification()).toHaveTextContent("1 queued. Job ae1276ec");
      await act(() => jest.advanceTimersByTimeAsync(4_800));
      expect(notification()).toHaveAttribute("data-removed", "false");
      await act(() => jest.advanceTimersByTimeAsync(200));
      expect(notification()).toHaveAttribute("data-removed", "true");
      unmount();
    } finally {
      jest.useRealTimers();
    }
  },
);
