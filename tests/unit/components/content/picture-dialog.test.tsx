/** @jest-environment jsdom */
import { Text } from "@codemirror/state";
import { fireEvent, screen } from "@testing-library/react";
import { PictureDialog } from "@/components/content/picture-dialog";
import type { LinkTarget } from "@/components/shared/markdown-editor/link-target";
import { renderScreen } from "@/tests/support/render";

function open(parts: Partial<LinkTarget> = {}) {
  const onTake = jest.fn();
  const nothing = { from: 0, to: 0, above: Text.empty, source: "", text: "", address: "", title: "" };
  const target = { kind: "picture" as const, isThere: false, ...nothing, ...parts };
  const { user } = renderScreen(<PictureDialog open onOpenChange={() => undefined} target={target} onTake={onTake} />);
  return { user, onTake };
}

const field = (name: string) => screen.getByRole("textbox", { name });
const press = (name: string) => screen.getByRole("button", { name });
const shown = () => document.querySelector("[role=dialog] img");

it("takes an address with an alternative text, and a caption that is there and may be changed", async () => {
  const { user, onTake } = open({ title: "Last May" });
  expect(field("Address")).toHaveFocus();
  await user.keyboard("https://a.example/bed.jpg");
  expect(shown()).toHaveAttribute("src", "https://a.example/bed.jpg");
  expect(field("Caption")).toHaveAccessibleDescription(/^Readers see it under the picture/);
  await user.type(field("Caption"), " or June");
  await user.type(field("Alternative text"), "A raised bed{Enter}");
  const parts = { text: "A raised bed", address: "https://a.example/bed.jpg", title: "Last May or June" };
  expect(onTake).toHaveBeenCalledWith(parts);
});

it("leaves an address as it is that nobody has changed", async () => {
  const { user, onTake } = open({ isThere: true, address: "beds/one.jpg" });
  await user.type(field("Alternative text"), "A bed{Enter}");
  expect(onTake).toHaveBeenCalledWith({ text: "A bed", address: "beds/one.jpg", title: "" });
});

it.each([
  ["", "Paste the address of a picture."],
  ["bed.jpg of mine", /^This is not a web address/],
])("says what is wrong with %j, and takes nothing", async (typed, sentence) => {
  const { user, onTake } = open();
  if (typed) await user.type(field("Address"), typed);
  await user.click(press("Add picture"));
  expect(field("Address")).toHaveAccessibleDescription(sentence);
  expect(onTake).not.toHaveBeenCalled();
});

it("says that a picture does not load, until the address changes", async () => {
  const { user } = open({ isThere: true, address: "https://a.example/bed.jpg" });
  fireEvent.error(shown() as Element);
  expect(screen.getByText("No picture loads from this address.")).toBeVisible();
  await user.type(field("Address"), "2");
  expect(shown()).toHaveAttribute("src", "https://a.example/bed.jpg2");
});

it("says of an address that it will not last", async () => {
  open({ address: "https://lh7-rt.googleusercontent.com/docsz/AD?key=1" });
  expect(field("Address")).toHaveAccessibleDescription(/^This address expires within days/);
});

it("removes a picture that is there, and no other", async () => {
  const { user, onTake } = open({ isThere: true, address: "https://a.example/bed.jpg" });
  await user.click(press("Remove picture"));
  expect(onTake).toHaveBeenCalledWith(null);
});
