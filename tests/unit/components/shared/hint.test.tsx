/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { Hint } from "@/components/shared/hint";
import { renderScreen } from "@/tests/support/render";

it("shows a tooltip on Tab, and none where the focus comes back from a toast or a removed button", async () => {
  const { user } = renderScreen(
    <>
      <button type="button">Before</button>
      <Hint content="Takes the post off the site">
        <button type="button">Unpublish</button>
      </Hint>
      <div data-toast-area>
        <button type="button">Close</button>
      </div>
    </>,
  );
  const focus = (name: string) => act(() => screen.getByRole("button", { name }).focus());
  await user.tab();
  await user.tab();
  expect(screen.getByRole("button", { name: "Unpublish" })).toHaveFocus();
  expect(await screen.findByRole("tooltip")).toHaveTextContent("Takes the post off the site");
  focus("Close");
  expect(screen.queryByRole("tooltip")).toBeNull();
  focus("Unpublish");
  expect(screen.queryByRole("tooltip")).toBeNull();
  act(() => screen.getByRole("button", { name: "Unpublish" }).blur());
  focus("Unpublish");
  expect(screen.queryByRole("tooltip")).toBeNull();
});
