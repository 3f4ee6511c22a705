/** @jest-environment jsdom */
import { act, screen, within } from "@testing-library/react";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import { keys } from "@/lib/client/query-keys";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

type Props = Parameters<typeof SiteChangeDialog>[0];

async function ask(parts: Pick<Props, "verb" | "what">, wordpressUrl: string | null = "https://blog.example.com/news") {
  const onConfirm = jest.fn();
  const onOpenChange = jest.fn();
  const { user, client } = renderScreen(
    <SiteChangeDialog projectId={3} open onOpenChange={onOpenChange} onConfirm={onConfirm} {...parts} />,
  );
  act(() => void client.setQueryData(keys.user(), someUser({ wordpressUrl })));
  const question = await screen.findByRole("alertdialog");
  return { user, question, onConfirm, onOpenChange };
}

const TITLE = { title: "Sowing" };
const AT_ONCE = "Readers will see it at once.";
const NOT_FOUND = "Readers will get a page that is not found.";

it.each([
  ["publish", TITLE, "Publish this piece?", "“Sowing” will be published on", AT_ONCE, "Publish"],
  ["update", TITLE, "Update this piece?", "“Sowing” will be updated on", AT_ONCE, "Update"],
  ["unpublish", TITLE, "Unpublish this piece?", "“Sowing” will be unpublished from", NOT_FOUND, "Unpublish"],
  [
    "unpublish",
    { count: 1200 },
    "Unpublish selected content?",
    "1,200 selected pieces will be unpublished from",
    NOT_FOUND,
    "Unpublish Selected",
  ],
] as const)(
  "says what %s of %p does, on which site, and on its button",
  async (verb, what, title, does, effect, label) => {
    const { user, question, onConfirm, onOpenChange } = await ask({ verb, what });
    expect(question).toHaveAccessibleName(title);
    expect(question).toHaveTextContent(`${does} blog.example.com. ${effect}`);
    expect(within(question).getByRole("button", { name: "Cancel" })).toHaveFocus();
    await user.click(within(question).getByRole("button", { name: label }));
    expect(onConfirm).toHaveBeenCalledTimes(1);
    expect(onOpenChange).toHaveBeenCalledWith(false);
  },
);

it("asks without the name of a site that is not known", async () => {
  const { question } = await ask({ verb: "publish", what: TITLE }, null);
  expect(question).toHaveTextContent("“Sowing” will be published on your WordPress site.");
});

it("asks whether a scheduled post goes live now, and says for when it is scheduled", async () => {
  const what = { ...TITLE, wpPostStatus: "future", wpPostDate: "2026-11-30T09:00:00.000Z" };
  const { user, question, onConfirm, onOpenChange } = await ask({ verb: "publish", what });
  expect(question).toHaveAccessibleName("Publish this piece now?");
  expect(question).toHaveTextContent(
    /“Sowing” is scheduled on blog\.example\.com for Nov 30, 2026, .+\. If you publish/,
  );
  const leave = within(question).getByRole("button", { name: "Leave it scheduled" });
  expect(leave).toHaveFocus();
  await user.click(leave);
  expect([onConfirm.mock.calls.length, onOpenChange.mock.calls]).toEqual([0, [[false]]]);
  await user.click(within(question).getByRole("button", { name: "Publish now" }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
});
