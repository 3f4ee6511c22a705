/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { PATH } from "@/tests/support/content-editor";
import { button, openEditorScreen } from "@/tests/support/editor-screen";
import { aPiece } from "@/tests/support/pieces";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

const PROPOSED = {
  focusKeyword: "bottom watering",
  metaTitle: "Bottom watering",
  metaDescription: "How often, and why.",
  slug: "bottom-watering",
  excerpt: "Try it once.",
};

const fields = () => within(screen.getByRole("region", { name: "Search engines" }));
const field = (name: string) => fields().getByRole("textbox", { name });
const press = (name: string) => fields().getByRole("button", { name });

async function openProposals(parts: Parameters<typeof openEditorScreen>[0] = {}, proposed: object = PROPOSED) {
  const opened = await openEditorScreen(parts, {
    [`POST ${PATH}/propose-fields`]: () => ({ json: proposed }),
    [`PATCH ${PATH}`]: () => ({ json: aPiece(parts) }),
  });
  await opened.user.click(press("Propose with AI"));
  await fields().findByRole("button", { name: "Close" });
  return opened;
}

it("changes nothing until a proposal is taken, which can be taken back", async () => {
  const { user } = await openProposals({ metaTitle: "Mine" });
  expect(fields().getByText("5 proposals")).toBeInTheDocument();
  expect(field("SEO title")).toHaveValue("Mine");
  await user.click(press("Use the proposed SEO title"));
  expect(field("SEO title")).toHaveValue("Bottom watering");
  expect(fields().getByRole("region", { name: "The SEO title before" })).toHaveTextContent("Before: Mine");
  expect(press("Take back the SEO title")).toHaveFocus();
  await user.click(press("Take back the SEO title"));
  expect(field("SEO title")).toHaveValue("Mine");
  expect(fields().getByRole("region", { name: "The proposed SEO title" })).toHaveTextContent("Bottom watering");
});

it("takes all at once, and back, with what was typed meanwhile", async () => {
  const { user, writes } = await openProposals({ excerpt: "Old" });
  await user.type(field("Meta description"), "Typed");
  await user.click(press("Use all"));
  expect(field("Meta description")).toHaveValue(PROPOSED.metaDescription);
  expect(field("Excerpt")).toHaveValue(PROPOSED.excerpt);
  await user.click(button("Save Changes"));
  await waitFor(() => expect(writes().at(-1)).toMatchObject({ method: "PATCH", body: PROPOSED }));
  await user.click(press("Take all back"));
  expect(field("Meta description")).toHaveValue("Typed");
  expect(field("Excerpt")).toHaveValue("Old");
});

it("takes the rest where one is taken already", async () => {
  const { user } = await openProposals();
  await user.click(press("Use the proposed slug"));
  await user.click(press("Use all"));
  expect(field("Slug")).toHaveValue("bottom-watering");
  expect(field("Excerpt")).toHaveValue(PROPOSED.excerpt);
});

it("leaves out what the piece has already, and the address of a live post", async () => {
  await openProposals({ focusKeyword: "bottom watering", wpPermalink: "https://blog.example.com/old/" });
  expect(fields().queryByRole("region", { name: "The proposed focus keyword" })).toBeNull();
  expect(fields().queryByRole("region", { name: "The proposed slug" })).toBeNull();
  expect(fields().getByRole("region", { name: "The proposed excerpt" })).toBeVisible();
});

it("says when there is nothing to take, and gives the focus back when it is closed", async () => {
  const { user } = await openProposals(PROPOSED);
  expect(fields().getByText("The AI suggests no changes.")).toBeVisible();
  expect(fields().queryByRole("button", { name: "Use all" })).toBeNull();
  await user.click(press("Close"));
  expect(press("Propose with AI")).toHaveFocus();
  expect(fields().queryByText("The AI suggests no changes.")).toBeNull();
});

it("saves the text before the AI reads it", async () => {
  const { user, writes } = await openEditorScreen(
    {},
    {
      [`POST ${PATH}/propose-fields`]: () => ({ json: PROPOSED }),
      [`PATCH ${PATH}`]: () => ({ json: aPiece({ excerpt: "New" }) }),
    },
  );
  await user.type(field("Excerpt"), "New");
  await user.click(press("Propose with AI"));
  await fields().findByRole("button", { name: "Close" });
  expect(writes().map(({ method, url }) => `${method} ${url}`)).toEqual([
    `PATCH ${PATH}`,
    `POST ${PATH}/propose-fields`,
  ]);
});
