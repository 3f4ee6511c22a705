/** @jest-environment jsdom */
import { Text } from "@codemirror/state";
import { screen, waitFor, within } from "@testing-library/react";
import { LinkDialog } from "@/components/content/link-dialog";
import type { LinkTarget } from "@/components/shared/markdown-editor/link-target";
import { aSummary } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

const PIECES = [
  aSummary({ id: "a", title: "Raised beds in spring" }),
  aSummary({ id: "b", title: "Raised beds, deep ones", wpPermalink: "https://blog.example.com/deep/" }),
  aSummary({ id: "c", title: "Sowing", wpPermalink: "https://blog.example.com/sowing/" }),
];

function open(parts: Partial<LinkTarget> = {}, status = 200) {
  mockApi({ "GET /api/content?search=raised+beds&limit=16": () => ({ status, json: PIECES }) });
  const onTake = jest.fn();
  const target = {
    from: 0,
    to: 0,
    above: Text.empty,
    source: "",
    kind: "link" as const,
    isThere: false,
    text: "",
    address: "",
    title: "",
    ...parts,
  };
  const { user } = renderScreen(<LinkDialog open onOpenChange={() => undefined} target={target} onTake={onTake} />);
  return { user, onTake };
}

const field = (name: string) => screen.getByRole("textbox", { name });
const press = (name: string) => screen.getByRole("button", { name });

it("begins at the address, and takes it with the text", async () => {
  const { user, onTake } = open({ text: "the guide" });
  expect(field("Address")).toHaveFocus();
  await user.keyboard("example.com/a{Enter}");
  expect(onTake).toHaveBeenCalledWith({ text: "the guide", address: "https://example.com/a", title: "" });
});

it.each([
  ["", /^Paste an address, or choose/],
  ["beans", /^This is not an address/],
])("says what is wrong with %j, and takes nothing", async (typed, sentence) => {
  const { user, onTake } = open();
  if (typed) await user.type(field("Address"), typed);
  await user.click(press("Add link"));
  expect(field("Address")).toHaveAccessibleDescription(sentence);
  expect(field("Address")).toHaveFocus();
  expect(onTake).not.toHaveBeenCalled();
  await user.type(field("Address"), ".example");
  expect(field("Address")).toBeValid();
});

it("finds pieces by their titles, the live ones first, and links no other", async () => {
  const { user, onTake } = open();
  await user.type(field("Address"), "raised beds");
  const list = within(await screen.findByRole("region", { name: "Your pieces" }));
  expect(list.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Raised beds, deep ones",
    "Raised beds in springnot live yet",
  ]);
  expect(list.getByRole("button", { name: /in spring/ })).toBeDisabled();
  await user.click(list.getByRole("button", { name: /deep/ }));
  expect(field("Address")).toHaveValue("https://blog.example.com/deep/");
  expect(field("Text")).toHaveValue("Raised beds, deep ones");
  await user.click(press("Add link"));
  expect(onTake).toHaveBeenCalledWith(expect.objectContaining({ address: "https://blog.example.com/deep/" }));
});

it("says when the pieces could not be searched", async () => {
  const { user } = open({}, 500);
  await user.type(field("Address"), "raised beds");
  expect(await screen.findByText("Your pieces could not be searched.")).toBeVisible();
});

it("opens, copies and removes a link that is there", async () => {
  const { user, onTake } = open({ isThere: true, text: "a", address: "https://a.example/" });
  expect(screen.getByRole("link", { name: "Open" })).toHaveAttribute("href", "https://a.example/");
  await user.click(press("Copy"));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("https://a.example/"));
  await user.click(press("Remove link"));
  expect(onTake).toHaveBeenCalledWith(null);
});

it("opens no address that is none of the web", () => {
  open({ isThere: true, text: "a", address: "javascript:alert(1)" });
  expect(screen.queryByRole("link", { name: "Open" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Copy" })).toBeNull();
});
