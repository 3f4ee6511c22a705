/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { TopicAiActions, type TopicStep } from "@/components/generation/topic-ai-actions";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

const OUTLINES = "Generate Topic Outline";
const TEXTS = "Write Topic Content with AI";

function open(next?: TopicStep) {
  return renderScreen(<TopicAiActions topic={{ id: 7, projectId: 3 }} name="Seeds" next={next} />);
}

// jsdom has no layout: a class marks what phones hide.
const isOnPhones = (label: string) => !screen.getByRole("button", { name: label }).classList.contains("max-md:hidden");

it.each([
  ["outlines", OUTLINES, TEXTS, "Generate content for all outlines in this topic"],
  ["content", TEXTS, OUTLINES, "Generate a comprehensive outline for this topic"],
] as const)(
  "on phones keeps a button for the next step, %s, and puts the other in a menu with its tooltip's text",
  async (next, main, other, tip) => {
    const path = other === TEXTS ? "generate-all-content-queue" : "generate-outline-queue";
    const calls = mockApi({
      [`POST /api/topics/7/${path}`]: () => ({ status: 202, json: { message: "", jobId: "j" } }),
    });
    const { user } = open(next);
    expect([isOnPhones(main), isOnPhones(other)]).toEqual([true, false]);
    await user.click(screen.getByRole("button", { name: "Actions for Seeds" }));
    expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([`${other}${tip}`]);
    await user.click(screen.getByRole("menuitem"));
    expect(calls.map(({ url }) => url)).toContain(`/api/topics/7/${path}`);
  },
);

describe("a button that is pressed again while a job runs", () => {
  const running = (jobId: string) => ({
    status: 409,
    json: { ...failure("This topic is already being worked on.", "ALREADY_RUNNING"), jobId },
  });

  it.each([
    ["says again what it has queued", "12345678-its-own", "Outlines for 12 pieces. Job 12345678"],
    ["says that another job is at work", "another", "This topic is already being worked on."],
  ])("%s", async (_what, jobId, words) => {
    const answers = [
      { status: 202, json: { message: "Outlines for 12 pieces.", jobId: "12345678-its-own" } },
      running(jobId),
    ];
    const calls = mockApi({ "POST /api/topics/7/generate-outline-queue": () => answers.shift() ?? {} });
    const { user } = open();
    await user.click(screen.getByRole("button", { name: OUTLINES }));
    expect(await screen.findByText("Outlines for 12 pieces. Job 12345678")).toBeVisible();
    await user.click(screen.getByRole("button", { name: OUTLINES }));
    await waitFor(() => expect(calls.filter(({ method }) => method === "POST")).toHaveLength(2));
    await waitFor(() => expect(screen.getByRole("button", { name: OUTLINES })).not.toHaveAttribute("aria-busy"));
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByText("Monitor Progress") !== null).toBe(jobId !== "another");
  });
});
