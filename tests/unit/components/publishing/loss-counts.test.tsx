/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { invalidate } from "@/lib/client/invalidation";
import { MAX_COUNTED } from "@/lib/features/publishing/rules";
import { aSummary } from "@/tests/support/pieces";
import { openPublishing, rowOf } from "@/tests/support/publishing-screen";

const LOSSES = "/api/content/losses?ids=";
const TWO = "2 things will not appear";

const asked = (calls: { url: string }[]) =>
  calls.filter(({ url }) => url.startsWith(LOSSES)).map(({ url }) => url.slice(LOSSES.length));

it("a row says what readers will not get of its text, and one that is not counted says nothing", async () => {
  const { calls } = await openPublishing({
    [`GET ${LOSSES}a,b,c`]: () => ({
      json: [
        { id: "b", count: 2 },
        { id: "c", count: 0 },
      ],
    }),
    [`GET ${LOSSES}a`]: () => ({ json: [] }),
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
    ids.map((id, at) => [`GET ${LOSSES}${ids.slice(at).join(",")}`, () => ({ json: [{ id, count: 2 }] })]),
  );
  const { calls } = await openPublishing(table, pieces);
  await waitFor(() => expect(screen.getAllByText(TWO)).toHaveLength(4));
  expect(asked(calls)).toHaveLength(4);
});

it("a failure to count is quiet", async () => {
  const { calls } = await openPublishing({ [`GET ${LOSSES}a,b,c`]: () => ({ status: 500, json: {} }) });
  await waitFor(() => expect(asked(calls)).toEqual(["a,b,c"]));
  await act(async () => {});
  expect(screen.queryByText(/not appear|not be counted/)).not.toBeInTheDocument();
});

it("the counts follow a change of a piece", async () => {
  let count = 2;
  const { client } = await openPublishing({
    [`GET ${LOSSES}a,b,c`]: () => ({ json: ["a", "b", "c"].map((id) => ({ id, count: id === "a" ? count : 0 })) }),
  });
  expect(await screen.findByText(TWO)).toBeVisible();
  count = 1;
  act(() => invalidate(client, [{ noun: "piece", projectId: 3, topicId: 7, contentId: "a" }]));
  expect(await screen.findByText("1 thing will not appear")).toBeVisible();
});

it("a long table asks page by page, for what is on the screen alone", async () => {
  const pieces = Array.from({ length: 3 * MAX_COUNTED }, (_, at) => aSummary({ id: `p${at}`, title: `Piece ${at}` }));
  const { calls } = await openPublishing({}, pieces);
  await waitFor(() => expect(asked(calls)).toHaveLength(1));
  expect(asked(calls)[0]?.split(",")).toEqual(pieces.slice(0, MAX_COUNTED).map(({ id }) => id));
});
