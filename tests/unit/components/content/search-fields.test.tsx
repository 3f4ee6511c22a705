/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { EMPTY_DRAFT, mergedDraft, withEdit } from "@/components/content/draft";
import { PATH } from "@/tests/support/content-editor";
import { button, openEditorScreen } from "@/tests/support/editor-screen";
import { aPiece } from "@/tests/support/pieces";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

const fields = () => within(screen.getByRole("region", { name: "Search engines" }));
const field = (name: string) => fields().getByRole("textbox", { name });

it("shows what is stored, and what stands in its place where nothing is", async () => {
  await openEditorScreen({ focusKeyword: "bottom watering", metaDescription: "Why, and how often." });
  expect(field("Focus keyword")).toHaveValue("bottom watering");
  expect(field("Meta description")).toHaveAccessibleDescription("19 characters, about 128 of 960 pixels");
  expect(field("SEO title")).toHaveAttribute("placeholder", "Bottom watering, explained");
  expect(field("Slug")).toHaveAttribute("placeholder", "bottom-watering-explained");
  expect(field("Excerpt")).toHaveAccessibleDescription(/your theme takes the beginning/);
});

it("says where the site takes neither SEO title nor keyword, with the way to the plugin for them", async () => {
  await openEditorScreen({ lacksSearchFields: true });
  expect(
    screen.getByText(/Your site does not accept the SEO title, meta description and focus keyword\./),
  ).toBeVisible();
  expect(fields().getByRole("link", { name: "Get the plugin for it" })).toHaveAttribute(
    "href",
    "/settings#fields-plugin",
  );
});

it("does not say so of other sites", async () => {
  await openEditorScreen();
  expect(fields().getByText("Publishing sends what your site accepts of these.")).toBeVisible();
  expect(fields().queryByRole("link")).toBeNull();
});

it("is saved with the text, without what cannot be saved, which stays in its field", async () => {
  const { user, writes } = await openEditorScreen(
    {},
    { [`PATCH ${PATH}`]: () => ({ json: aPiece({ metaTitle: "Watering" }) }) },
  );
  await user.type(field("Slug"), "../");
  expect(field("Slug")).toHaveAccessibleDescription(/^A slug needs letters or digits/);
  expect(field("Slug")).toBeInvalid();
  await user.type(field("SEO title"), "Watering");
  await user.click(button("Save Changes"));
  await waitFor(() =>
    expect(writes()).toEqual([expect.objectContaining({ body: { metaTitle: "Watering", version: 4 } })]),
  );
  expect(field("Slug")).toHaveValue("../");
});

it("says before an update that the live post's address changes, unless it has that slug already", async () => {
  const live = {
    status: "wp_published",
    isNewerHere: true,
    wpPlace: "here",
    wpPostId: "7",
    wpPermalink: "https://blog.example.com/old/",
  } as const;
  const { user } = await openEditorScreen({ ...live, slug: "new" });
  await user.click(button("Update on site"));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).toHaveTextContent("Its address will end in “new”. WordPress redirects the old one.");
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await user.clear(field("Slug"));
  await user.type(field("Slug"), "Old");
  await user.click(button("Update on site"));
  expect(await screen.findByRole("alertdialog")).not.toHaveTextContent("Its address");
});

it("wins over what was saved elsewhere meanwhile, and asks nothing", () => {
  const draft = withEdit(EMPTY_DRAFT, aPiece({ version: 4, excerpt: "Old" }), "excerpt", "Mine");
  expect(mergedDraft(draft, aPiece({ version: 5, excerpt: "Theirs" }))?.edits).toEqual({ excerpt: "Mine" });
});
