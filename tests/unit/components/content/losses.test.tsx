/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { openEditor } from "@/tests/support/content-editor";
import { button, tab } from "@/tests/support/editor-screen";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));

const BODY = "One <!-- note --> two.\n\n![Chart](chart.png)";
const TWO = "2 things will not appear";

describe("what readers will not get of the text", () => {
  it("is counted beside Publish, which leads to its list in the Preview", async () => {
    const { user } = openEditor({ body: BODY });
    await user.click(await screen.findByRole("button", { name: TWO }));
    expect(tab("Preview")).toHaveAttribute("aria-selected", "true");
    expect(await screen.findByRole("heading", { name: "What will not appear" })).toHaveFocus();
    expect(button("Publish to WordPress")).toBeEnabled();
  });

  it("is not mentioned where everything appears", async () => {
    const { user } = openEditor({ body: BODY });
    await screen.findByRole("button", { name: TWO });
    await user.clear(screen.getByRole("textbox", { name: "Body" }));
    await user.type(screen.getByRole("textbox", { name: "Body" }), "One two.");
    expect(await screen.findByRole("button", { name: "Publish to WordPress" })).toBeEnabled();
    await waitForNone();
    await user.click(button("Publish to WordPress"));
    expect(await screen.findByRole("alertdialog")).not.toHaveTextContent("not appear");
  });

  it("leads from the list to its place in the text", async () => {
    const { user } = openEditor({ body: BODY });
    await user.click(await screen.findByRole("button", { name: TWO }));
    await user.click(await screen.findByRole("button", { name: /chart\.png/ }));
    const body = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
    await waitFor(() => expect(body).toHaveFocus());
    expect(body.value.slice(body.selectionStart)).toBe("chart.png)");
    // Only once: the next time the text is as it was left.
    body.setSelectionRange(3, 3);
    await user.click(tab("Preview"));
    await user.click(tab("Edit"));
    expect(screen.getByRole("textbox", { name: "Body" })).not.toHaveFocus();
  });

  it.each([
    [BODY, "The picture chart.png is not on the web. Upload it to your site and use its address."],
    ["One <!-- note --> two.", "A comment is left out."],
  ])("is named in the question before Publish", async (body, sentence) => {
    const { user } = openEditor({ body });
    await screen.findByRole("button", { name: /not appear/ });
    await user.click(button("Publish to WordPress"));
    const question = await screen.findByRole("alertdialog", { name: "Publish this piece?" });
    expect(within(question).getByText(sentence)).toBeVisible();
    expect(within(question).getByRole("button", { name: "Publish" })).toBeEnabled();
  });

  it("is named in the question before a scheduled post goes live", async () => {
    const scheduled = { status: "wp_draft", wpPostId: "12", wpPostStatus: "future" } as const;
    const { user } = openEditor({ body: BODY, ...scheduled });
    await screen.findByRole("button", { name: TWO });
    await user.click(button("Publish to WordPress"));
    const question = await screen.findByRole("alertdialog", { name: "Publish this piece now?" });
    expect(within(question).getByText("A comment is left out.")).toBeVisible();
  });
});

function waitForNone() {
  return waitFor(() => expect(screen.queryByRole("button", { name: /not appear/ })).not.toBeInTheDocument());
}
