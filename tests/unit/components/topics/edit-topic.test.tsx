/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { TopicsSection } from "@/components/topics/topics-section";
import { invalidate } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { saveDrafts } from "@/lib/client/session-drafts";
import { aTopic } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams("topic=7") }));

const WHOLE = `${"Seeds, soil and light. ".repeat(20)}The end.`;
const CUT = { ...aTopic({ description: WHOLE.slice(0, 300) }), descriptionCut: true };

/** The open topic, whose list entry has the start of its description only. */
function open(table: Parameters<typeof mockApi>[0] = {}) {
  const sent: unknown[] = [];
  const calls = mockApi({
    "GET /api/projects/3/topics?description=300": () => ({ json: [CUT] }),
    "GET /api/topics/7": () => ({ json: aTopic({ description: WHOLE }) }),
    "GET /api/topics/7/keywords": () => ({ json: [] }),
    "GET /api/projects/3/topics/7/content?limit=50": () => ({ json: [] }),
    "PATCH /api/topics/7": (body) => {
      sent.push(body);
      return { json: aTopic(body as object) };
    },
    ...table,
  });
  const screenOf = renderScreen(<TopicsSection projectId={3} />);
  async function edit() {
    await screenOf.user.click(await screen.findByRole("button", { name: /^Actions for Seed/ }));
    await screenOf.user.click(await screen.findByRole("menuitem", { name: "Edit Topic" }));
    return within(await screen.findByRole("dialog", { name: "Edit Topic" }));
  }
  return { ...screenOf, calls, sent, edit };
}

const later = () => {
  let answer: (value: { json: unknown }) => void = () => undefined;
  const promise = new Promise<{ json: unknown }>((resolve) => {
    answer = resolve;
  });
  return { promise, answer: (json: unknown) => act(async () => answer({ json })) };
};

it("shows the start of a long description, then all of it", async () => {
  const topic = later();
  open({ "GET /api/topics/7": () => topic.promise });
  expect(await screen.findByText(`${WHOLE.slice(0, 300).trimEnd()}…`)).toBeVisible();
  await topic.answer(aTopic({ description: WHOLE }));
  expect(await screen.findByText(WHOLE)).toBeVisible();
});

it("edits the whole description, and never saves a cut one", async () => {
  const topic = later();
  const { user, sent, edit } = open({ "GET /api/topics/7": () => topic.promise });
  const dialog = await edit();
  expect(dialog.getByText("Loading the topic")).toBeInTheDocument();
  expect(dialog.queryByRole("button", { name: "Save Topic" })).not.toBeInTheDocument();
  await topic.answer(aTopic({ description: WHOLE }));
  expect(await dialog.findByLabelText("Name")).toHaveFocus();
  expect(dialog.getByLabelText("Description")).toHaveValue(WHOLE);
  await user.type(dialog.getByLabelText("Name"), "!");
  await user.click(dialog.getByRole("button", { name: "Save Topic" }));
  expect(await screen.findByText("Topic updated successfully")).toBeVisible();
  expect(sent).toEqual([{ name: "Seed starting indoors!", description: WHOLE, category: "Growing from seed" }]);
});

it("begins with what the server has now, each time, and keeps what is typed over later reads", async () => {
  let stored = "What another browser saved.";
  const { user, client, calls, edit } = open({
    "GET /api/topics/7": () => ({ json: aTopic({ description: stored }) }),
  });
  client.setQueryData(keys.topic(7), aTopic({ description: "What this tab read long ago." }));
  const dialog = await edit();
  const description = await dialog.findByLabelText("Description");
  expect(description).toHaveValue("What another browser saved.");
  await user.type(description, " And more.");
  stored = "Changed meanwhile.";
  const reads = () => calls.filter(({ url }) => url === "/api/topics/7").length;
  const before = reads();
  act(() => invalidate(client, [{ noun: "topic", topicId: 7 }]));
  await waitFor(() => expect(reads()).toBe(before + 1));
  expect(description).toHaveValue("What another browser saved. And more.");
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  const again = await edit();
  expect(await again.findByLabelText("Description")).toHaveValue("Changed meanwhile.");
});

it("says when the topic does not load, and tries again", async () => {
  let isDown = true;
  const { user, edit } = open({
    "GET /api/topics/7": () =>
      isDown
        ? { status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }
        : { json: aTopic({ description: WHOLE }) },
  });
  const dialog = await edit();
  expect(await dialog.findByText("Not now.")).toBeVisible();
  isDown = false;
  await user.click(dialog.getByRole("button", { name: "Try again" }));
  expect(await dialog.findByLabelText("Description")).toHaveValue(WHOLE);
});

it("puts back what was typed before the session ended, once the fields are there", async () => {
  const { user, client, edit, unmount } = open();
  client.setQueryData(keys.user(), { id: "maren" });
  const dialog = await edit();
  await user.type(await dialog.findByLabelText("Description"), " Typed.");
  expect(saveDrafts("maren")).toBe("saved");
  unmount();
  const next = open();
  next.client.setQueryData(keys.user(), { id: "maren" });
  const again = await next.edit();
  await waitFor(() => expect(again.getByLabelText("Description")).toHaveValue(`${WHOLE} Typed.`));
});
