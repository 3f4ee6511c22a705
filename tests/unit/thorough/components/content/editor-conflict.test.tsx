/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { openEditor, PATH } from "@/tests/support/content-editor";
import { aPiece } from "@/tests/support/pieces";
import { failure, pressAndConfirm } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));

const body = () => screen.findByRole("textbox", { name: "Body" });
const button = (name: string) => screen.getByRole("button", { name });

describe("a piece that was changed elsewhere", () => {
  async function meetConflict() {
    const opened = openEditor();
    await opened.user.type(await body(), " Mine.");
    opened.changeElsewhere({ body: "Theirs." });
    await opened.user.click(button("Save Changes"));
    await screen.findByRole("alertdialog", { name: "This piece was changed elsewhere" });
    return opened;
  }

  it("takes one's own lines on Keep mine, on the newer version", async () => {
    const { user, writes } = await meetConflict();
    await user.click(button("Keep mine"));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ body: "Water from below, not above. Mine.", version: 5 });
    expect(await body()).toHaveValue("Water from below, not above. Mine.");
  });

  it("is loaded on Take the other version", async () => {
    const { user, writes } = await meetConflict();
    await user.click(button("Take the other version"));
    expect(await body()).toHaveValue("Theirs.");
    expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
    expect(writes()).toHaveLength(1);
  });

  it("leaves the edits unsaved on Go on editing", async () => {
    const { user } = await meetConflict();
    await user.click(button("Go on editing"));
    expect(await body()).toHaveValue("Water from below, not above. Mine.");
    expect(screen.getByText("Unsaved changes")).toBeVisible();
  });

  it("is loaded once what was typed since is a revision, too", async () => {
    const { user, writes } = await meetConflict();
    await user.click(button("Go on editing"));
    await user.type(await body(), " And more.");
    await user.click(button("Compare and choose"));
    await user.click(await screen.findByRole("button", { name: "Take the other version" }));
    await waitFor(async () => expect(await body()).toHaveValue("Theirs."));
    expect(writes().at(-1)?.body).toEqual({ body: "Water from below, not above. Mine. And more.", version: 4 });
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("is not loaded while the server cannot keep what was typed, which stays", async () => {
    const { user, refuseNext } = await meetConflict();
    await user.click(button("Go on editing"));
    await user.type(await body(), " And more.");
    refuseNext({ status: 507, json: failure("Storage is full.", "STORAGE_FULL") });
    await user.click(button("Compare and choose"));
    await user.click(await screen.findByRole("button", { name: "Take the other version" }));
    expect(await screen.findByText(/Storage is full/)).toBeVisible();
    expect(await screen.findByRole("alertdialog")).toBeVisible();
    await user.click(button("Go on editing"));
    expect(await body()).toHaveValue("Water from below, not above. Mine. And more.");
  });
});

describe("a piece that was saved elsewhere in other lines", () => {
  it("is saved with both changes, which the message says", async () => {
    const { user, writes, changeElsewhere } = openEditor({ body: "One.\n\nTwo." });
    changeElsewhere({ body: "One. Theirs.\n\nTwo.", title: "Their title" });
    await user.type(await body(), " Mine.");
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText(/What was changed elsewhere is in it too/)).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ body: "One. Theirs.\n\nTwo. Mine.", version: 5 });
    expect(await body()).toHaveValue("One. Theirs.\n\nTwo. Mine.");
    expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Their title");
    expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
  });

  it("says so of this save alone", async () => {
    const { user, changeElsewhere } = openEditor({ body: "One.\n\nTwo." });
    changeElsewhere({ title: "Their title" });
    await user.type(await body(), " Mine.");
    await pressAndConfirm(user, button("Publish to WordPress"));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    await user.type(await body(), " More.");
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
  });

  it("is asked about in the end, if each save meets a newer version", async () => {
    let version = 4;
    const newer = () => {
      version += 1;
      return aPiece({ version, body: "One.\n\nTwo.", title: `Title ${version}` });
    };
    const { user, writes } = openEditor(
      { body: "One.\n\nTwo." },
      {
        [`PATCH ${PATH}`]: () => ({
          status: 409,
          json: { ...failure("Changed elsewhere", "VERSION_CONFLICT"), current: newer() },
        }),
      },
    );
    await user.type(await body(), " Mine.");
    await user.click(button("Save Changes"));
    expect(await screen.findByRole("alertdialog", { name: "This piece was changed elsewhere" })).toBeVisible();
    expect(writes()).toHaveLength(4);
    await user.click(button("Go on editing"));
    expect(await body()).toHaveValue("One.\n\nTwo. Mine.");
  });
});
