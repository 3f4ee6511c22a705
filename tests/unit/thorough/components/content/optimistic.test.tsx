/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { LibraryGroups } from "@/components/content/library-groups";
import { TopicContent } from "@/components/content/topic-content";
import { optimisticData } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import type { ContentGroup } from "@/lib/features/content/schema";
import type { TopicOut } from "@/lib/features/topics/schema";
import { aPiece, aSummary, aTopic, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

const REFUSED = { status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") };
const OTHER = aSummary({ id: "other", title: "Frost cloth" });

const link = (name: string) => screen.findByRole("link", { name });
const noLink = (name: string) => expect(screen.queryByRole("link", { name })).not.toBeInTheDocument();
const confirm = () => within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" });

describe("renaming a piece under its topic", () => {
  function open(held: ReturnType<typeof pendingAnswer>) {
    const calls = mockApi({
      "GET /api/projects/3/topics/7/content?limit=50": () => ({ json: [aSummary(), OTHER] }),
      [`PATCH /api/content/${PIECE_ID}`]: held.answer,
    });
    return { ...renderScreen(<TopicContent topic={aTopic()} />), calls };
  }

  async function rename(user: ReturnType<typeof open>["user"], title: string) {
    await user.click(await screen.findByRole("button", { name: "Edit title: Bottom watering, explained" }));
    await user.keyboard(`${title}{Enter}`);
  }

  it("shows the new title before the server answers, and reopens the edit with it when refused", async () => {
    const held = pendingAnswer();
    const { user } = open(held);
    await rename(user, "Watering from below");
    expect(await link("Watering from below")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Edit title: Watering from below" })).toHaveFocus());
    held.give({ status: 500, json: {} });
    expect(await screen.findByText("Error updating content")).toBeVisible();
    expect(await screen.findByRole("textbox", { name: "Content title" })).toHaveValue("Watering from below");
    await user.keyboard("{Escape}");
    expect(await link("Bottom watering, explained")).toBeVisible();
  });

  it("does not give the editor the new title before the server has it", async () => {
    const held = pendingAnswer();
    const { user, client } = open(held);
    client.setQueryData(keys.content(PIECE_ID), aPiece());
    await rename(user, "Watering from below");
    await link("Watering from below");
    expect(client.getQueryData(keys.content(PIECE_ID))).toMatchObject({ title: "Bottom watering, explained" });
    held.give({ json: aPiece({ title: "Watering from below", version: 5 }) });
    expect(await screen.findByText("Content title updated successfully")).toBeVisible();
    expect(client.getQueryData(keys.content(PIECE_ID))).toMatchObject({ title: "Watering from below", version: 5 });
  });

  it("restores only the title when refused, and keeps a piece added meanwhile", async () => {
    const held = pendingAnswer();
    const { user, client } = open(held);
    await rename(user, "Watering from below");
    await link("Watering from below");
    client.setQueryData(keys.topicContent(3, 7), {
      pages: [{ items: [aSummary({ id: "new", title: "Heat mats" }), aSummary(), OTHER], next: null }],
      pageParams: [""],
    });
    expect(await link("Heat mats")).toBeVisible();
    expect(await link("Watering from below")).toBeVisible();
    held.give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    const titles = screen.getAllByRole("link").map((each) => each.textContent);
    expect(titles).toEqual(["Heat mats", "Bottom watering, explained", "Frost cloth"]);
  });
});

describe("deleting a piece in the library", () => {
  const groups = (count: number): ContentGroup[] => [
    { projectId: 3, title: "Garden", count, topics: [{ topicId: 7, name: "Seeds", count }] },
  ];

  const STEPS = { idea: 0, outline: 0, text: 2, live: 0 };

  async function deleteFirst(held: ReturnType<typeof pendingAnswer>) {
    let rows = [aSummary(), OTHER];
    const calls = mockApi({
      "GET /api/content/groups": () => ({ json: groups(rows.length) }),
      "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: rows }),
      [`DELETE /api/content/${PIECE_ID}`]: async () => {
        const answer = await held.answer();
        if (answer.status === 204) rows = [OTHER];
        return answer;
      },
    });
    const { user, client } = renderScreen(<LibraryGroups filters={{}} onReset={jest.fn()} />);
    // Counts and lists of other screens, in the cache.
    client.setQueryData(keys.topics(3), [aTopic({ contentCount: 2, steps: STEPS })]);
    client.setQueryData(keys.libraryGroups({ topicId: 7, step: "text" }), groups(2));
    client.setQueryData(keys.libraryGroups({ step: "idea" }), groups(2));
    client.setQueryData(keys.libraryGroups({ topicId: 8 }), groups(2));
    client.setQueryData(keys.libraryGroups({ status: "review" }), groups(4));
    client.setQueryData(keys.libraryGroups({ search: "frost" }), groups(1));
    client.setQueryData([...keys.projectContent(3), "publishable"], [aSummary(), OTHER]);
    await user.click(await screen.findByRole("button", { name: "Delete: Bottom watering, explained" }));
    await user.click(confirm());
    await waitFor(() => noLink("Bottom watering, explained"));
    return { user, client, calls };
  }

  it("removes it from lists and counts before the server answers, and restores it when refused", async () => {
    const held = pendingAnswer();
    const { client } = await deleteFirst(held);
    expect(screen.getByRole("button", { name: "Garden 1 item" })).toBeVisible();
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    expect(optimisticData<TopicOut[]>(client, keys.topics(3))).toMatchObject([
      { contentCount: 1, steps: { ...STEPS, text: 1 } },
    ]);
    expect(optimisticData(client, keys.libraryGroups({ topicId: 7, step: "text" }))).toEqual(groups(1));
    expect(optimisticData(client, [...keys.projectContent(3), "publishable"])).toEqual([OTHER]);
    // Neither of these counts it.
    expect(optimisticData(client, keys.libraryGroups({ status: "review" }))).toEqual(groups(4));
    expect(optimisticData(client, keys.libraryGroups({ search: "frost" }))).toEqual(groups(1));
    expect(optimisticData(client, keys.libraryGroups({ step: "idea" }))).toEqual(groups(2));
    expect(optimisticData(client, keys.libraryGroups({ topicId: 8 }))).toEqual(groups(2));

    held.give({ status: 500, json: {} });
    expect(await screen.findByText("Failed to delete content")).toBeVisible();
    expect(await link("Bottom watering, explained")).toBeVisible();
    expect(screen.getByRole("button", { name: "Garden 2 items" })).toBeVisible();
    expect(optimisticData<TopicOut[]>(client, keys.topics(3))?.[0]?.contentCount).toBe(2);
    expect(optimisticData(client, [...keys.projectContent(3), "publishable"])).toHaveLength(2);
  });

  it("says so once the server confirms, and refetches its lists", async () => {
    const held = pendingAnswer();
    const { calls } = await deleteFirst(held);
    const callsBefore = calls.length;
    held.give({ status: 204 });
    expect(await screen.findByText("Content deleted successfully")).toBeVisible();
    await waitFor(() =>
      expect(
        calls
          .slice(callsBefore)
          .map(({ url }) => url)
          .sort(),
      ).toEqual([
        "/api/content/groups",
        "/api/content/reviews?ids=other",
        "/api/content?projectId=3&topicId=7&limit=50",
      ]),
    );
    noLink("Bottom watering, explained");
    expect(await link("Frost cloth")).toBeVisible();
  });

  it("leaves no empty group behind", async () => {
    const held = pendingAnswer();
    mockApi({
      "GET /api/content/groups": () => ({ json: groups(1) }),
      "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: [aSummary()] }),
      [`DELETE /api/content/${PIECE_ID}`]: held.answer,
    });
    const { user } = renderScreen(<LibraryGroups filters={{}} onReset={jest.fn()} />);
    await user.click(await screen.findByRole("button", { name: "Delete: Bottom watering, explained" }));
    await user.click(confirm());
    expect(await screen.findByText("No content found")).toBeVisible();
    held.give(REFUSED);
    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(await link("Bottom watering, explained")).toBeVisible();
  });
});
