/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { PieceLinks } from "@/components/content/piece-links";
import { invalidate } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import type { Neighbours } from "@/lib/features/content/schema";
import { PIECE_ID } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

const NEWER = { id: "00000000-0000-4000-8000-000000000002", title: "Peat-free mixes" };
const OLDER = { id: "00000000-0000-4000-8000-000000000001", title: "When to sow" };

/** The links of a piece; the server answers with what `beside` says at the time. */
function open(beside: () => Partial<Neighbours>) {
  const calls = mockApi({
    [`GET ${keys.neighbours(PIECE_ID)[0]}`]: () => ({ json: { topicId: 7, previous: null, next: null, ...beside() } }),
  });
  return { ...renderScreen(<PieceLinks pieceId={PIECE_ID} />), calls };
}

const links = () =>
  screen.queryAllByRole("link").map((link) => [link.getAttribute("aria-label"), link.getAttribute("href")]);
const PREVIOUS = ["Previous piece: Peat-free mixes", `/content/${NEWER.id}`];
const NEXT = ["Next piece: When to sow", `/content/${OLDER.id}`];

describe("the links to the pieces beside one", () => {
  it("lead to the previous and the next, and show their titles in a tooltip", async () => {
    const { user } = open(() => ({ previous: NEWER, next: OLDER }));
    await waitFor(() => expect(links()).toEqual([PREVIOUS, NEXT]));
    await user.tab();
    expect(screen.getByRole("link", { name: "Previous piece: Peat-free mixes" })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole("link", { name: "Next piece: When to sow" })).toHaveFocus();
    expect(await screen.findByRole("tooltip")).toHaveTextContent("When to sow");
  });

  it.each([
    ["first", { next: OLDER }, NEXT, 1],
    ["last", { previous: NEWER }, PREVIOUS, 0],
  ] as const)("keep their places beside the %s piece of a topic", async (_which, beside, link, place) => {
    open(() => beside);
    await waitFor(() => expect(links()).toEqual([link]));
    const places = [...screen.getByRole("navigation", { name: "Pieces of this topic" }).children];
    expect(places).toHaveLength(2);
    expect(places.findIndex((each) => each.matches("a"))).toBe(place);
  });

  it("are absent beside the only piece", async () => {
    const { calls } = open(() => ({}));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByRole("navigation")).not.toBeInTheDocument();
  });

  it("follow what is created, renamed and deleted elsewhere in the topic, and no save of this piece", async () => {
    let beside: Partial<Neighbours> = { next: OLDER };
    const { client, calls } = open(() => beside);
    await waitFor(() => expect(links()).toEqual([NEXT]));
    beside = { previous: NEWER };
    const own = { noun: "piece", projectId: 3, topicId: 7, contentId: PIECE_ID } as const;
    act(() => invalidate(client, [own, { ...own, topicId: 8, contentId: OLDER.id }]));
    expect(client.getQueryState(keys.neighbours(PIECE_ID))?.isInvalidated).toBe(false);
    act(() => invalidate(client, [{ ...own, contentId: OLDER.id }]));
    await waitFor(() => expect(links()).toEqual([PREVIOUS]));
    expect(calls).toHaveLength(2);
  });
});
