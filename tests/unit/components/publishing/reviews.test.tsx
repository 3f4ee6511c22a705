/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { invalidate } from "@/lib/client/invalidation";
import { MAX_REVIEWED } from "@/lib/features/publishing/rules";
import { aReview, aSummary } from "@/tests/support/pieces";
import { openPublishing, rowOf } from "@/tests/support/publishing-screen";

const REVIEWS = "/api/content/reviews?ids=";
const TWO = "2 things will not appear";

const asked = (calls: { url: string }[]) =>
  calls.filter(({ url }) => url.startsWith(REVIEWS)).map(({ url }) => url.slice(REVIEWS.length));

it("a row says what readers will not get of its text, and one that is not reviewed says nothing", async () => {
  const { calls } = await openPublishing({
    [`GET ${REVIEWS}a,b,c`]: () => ({
      json: [aReview({ id: "b", losses: 2 }), aReview({ id: "c", losses: 0 })],
    }),
    [`GET ${REVIEWS}a`]: () => ({ json: [] }),
  });
  expect(await screen.findByRole("link", { name: TWO })).toHaveAttribute("href", "/content/b?tab=preview");
  expect(rowOf("Watering").getByText(TWO)).toBeVisible();
  expect(screen.getAllByText(/not appear/)).toHaveLength(1);
  expect(asked(calls)).toEqual(["a,b,c", "a"]);
});

it("pieces that were left out are asked for again, a few times", async () => {
  const pieces = ["a", "b", "c", "d", "e", "f"].map((id) => aSummary({ id, title: id.toUpperCase() }));
  const ids = pieces.map(({ id }) => id);
  const table = Object.fromEntries(
    ids.map((id, at) => [`GET ${REVIEWS}${ids.slice(at).join(",")}`, () => ({ json: [aReview({ id, losses: 2 })] })]),
  );
  const { calls } = await openPublishing(table, pieces);
  await waitFor(() => expect(screen.getAllByText(TWO)).toHaveLength(4));
  expect(asked(calls)).toHaveLength(4);
});

it("a failure to review is quiet", async () => {
  const { calls } = await openPublishing({ [`GET ${REVIEWS}a,b,c`]: () => ({ status: 500, json: {} }) });
  await waitFor(() => expect(asked(calls)).toEqual(["a,b,c"]));
  await act(async () => {});
  expect(screen.queryByText(/not appear|not be reviewed/)).not.toBeInTheDocument();
});

it("the reviews follow a change of a piece", async () => {
  let count = 2;
  const { client } = await openPublishing({
    [`GET ${REVIEWS}a,b,c`]: () => ({
      json: ["a", "b", "c"].map((id) => aReview({ id, losses: id === "a" ? count : 0 })),
    }),
  });
  expect(await screen.findByText(TWO)).toBeVisible();
  count = 1;
  act(() => invalidate(client, [{ noun: "piece", projectId: 3, topicId: 7, contentId: "a" }]));
  expect(await screen.findByText("1 thing will not appear")).toBeVisible();
});

it("a long table asks page by page, for what is on the screen alone", async () => {
  const pieces = Array.from({ length: 3 * MAX_REVIEWED }, (_, at) => aSummary({ id: `p${at}`, title: `Piece ${at}` }));
  const { calls } = await openPublishing({}, pieces);
  await waitFor(() => expect(asked(calls)).toHaveLength(1));
  expect(asked(calls)[0]?.split(",")).toEqual(pieces.slice(0, MAX_REVIEWED).map(({ id }) => id));
});
