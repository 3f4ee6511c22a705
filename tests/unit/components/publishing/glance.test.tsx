/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { glanceRows, sorted } from "@/components/publishing/glance";
import { GlanceScreen } from "@/components/publishing/glance-screen";
import { aReview, aSummary } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

const PIECES = [
  aSummary({ id: "a", title: "Sowing", lengthInWords: 1_200, wpPermalink: "https://blog.example.com/sowing/" }),
  aSummary({ id: "b", title: "Watering", status: "wp_published", lengthInWords: 300 }),
  aSummary({ id: "c", title: "Turning", lengthInWords: null }),
  aSummary({ id: "d", title: "An idea", hasBody: false, isTitleOnly: true, lengthInWords: null }),
];
const REVIEWS = [
  aReview({ id: "a", score: 90, focusKeyword: "sowing seeds", outbound: 1, internal: ["/watering"] }),
  aReview({ id: "b", score: 40, found: 3, internal: ["https://blog.example.com/sowing#when", "/sowing/?utm=1"] }),
  aReview({ id: "c", score: 70, found: 2, holding: 1, internal: ["/Sowing"] }),
];

async function open(reviews = REVIEWS) {
  mockApi({
    "GET /api/projects/3": () => ({ json: { id: 3, title: "Garden", description: null, createdAt: "2026-11-03" } }),
    "GET /api/projects/3/content?limit=1000": () => ({ json: PIECES }),
    "GET /api/content/reviews?ids=a,b,c": () => ({ json: reviews }),
    "GET /api/content/reviews?ids=b": () => ({ json: [] }),
  });
  const { user } = renderScreen(<GlanceScreen projectId={3} />);
  await screen.findByRole("link", { name: "Sowing" });
  return user;
}

const titles = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
const cells = (title: string) =>
  within(screen.getByRole("rowheader", { name: title }).closest("tr") as HTMLElement)
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);

it("lists the worst first: what is not ready, then the lowest score, and what is not known last", async () => {
  await open();
  expect(await screen.findByText("4 pieces, the worst first.")).toBeVisible();
  expect(titles()).toEqual(["Turning", "Watering", "Sowing", "An idea"]);
});

it("says of each piece its stage, place, keyword, length, score, findings and links", async () => {
  await open();
  await screen.findByText("4 pieces, the worst first.");
  expect(cells("Sowing")).toEqual(["Text", "Not Published", "sowing seeds", "1,200", "90", "0", "2", "2"]);
  expect(cells("Watering")).toEqual(["Live", "Published", "–", "300", "40", "3", "–", "2"]);
  expect(cells("Turning")).toEqual(["Text", "Not Published", "–", "–", "70", "2not ready", "–", "1"]);
  expect(cells("An idea")).toEqual(["Idea", "Not Published", "–", "–", "–", "–", "–", "–"]);
});

it("shows no number for what is not known yet", async () => {
  await open(REVIEWS.filter(({ id }) => id !== "b"));
  await screen.findByText("4 pieces, the worst first.");
  expect(cells("Watering")).toEqual(["Live", "Published", "–", "300", "–", "–", "–", "–"]);
});

it("sorts by a column, turns round with a second press, and brings the worst first with a third", async () => {
  const user = await open();
  await screen.findByText("4 pieces, the worst first.");
  const head = screen.getByRole("columnheader", { name: "Words" });
  const press = () => user.click(within(head).getByRole("button"));
  await press();
  expect(head).toHaveAttribute("aria-sort", "descending");
  expect(titles().slice(0, 2)).toEqual(["Sowing", "Watering"]);
  await press();
  expect(head).toHaveAttribute("aria-sort", "ascending");
  expect(titles().slice(0, 2)).toEqual(["Watering", "Sowing"]);
  await press();
  expect(head).not.toHaveAttribute("aria-sort");
  expect(titles()[0]).toBe("Turning");
});

it("counts no link of a piece to itself, and no links to a piece before all texts are reviewed", () => {
  const [sowing] = PIECES;
  if (!sowing) throw new Error("There is no piece.");
  const reviews = new Map([["a", aReview({ id: "a", internal: ["/sowing"] })]]);
  expect(glanceRows([sowing], reviews, true)[0]?.linksIn).toBe(0);
  expect(glanceRows([sowing], reviews, false)[0]?.linksIn).toBeNull();
});

it("sorts 10,000 pieces within a second", () => {
  const pieces = Array.from({ length: 10_000 }, (_, at) => aSummary({ id: `p${at}`, title: `Piece ${at}` }));
  const reviews = new Map(pieces.map(({ id }, at) => [id, aReview({ id, score: at % 100 })]));
  const begun = performance.now();
  const rows = sorted(glanceRows(pieces, reviews, true), { column: "worst", isDescending: false });
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(rows[0]?.score).toBe(0);
});
