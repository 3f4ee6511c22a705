/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { SettingsForm } from "@/components/account/settings-form";
import { keys } from "@/lib/client/query-keys";
import { saveSettingsAction } from "@/lib/features/account/actions";
import type { UserOut } from "@/lib/features/account/schema";
import { answerCalls, failure, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));

jest.mock("@/lib/features/account/actions", () => ({ saveSettingsAction: jest.fn() }));
const save = jest.mocked(saveSettingsAction);

const STORED = someUser({
  hasOpenaiApiKey: true,
  openaiApiKeyHint: "a4F2",
  wordpressUrl: "https://blog.example.com",
  wordpressUsername: "editor",
  hasWordpressPassword: true,
});

beforeEach(() => {
  save.mockReset();
});

function open(user: UserOut = STORED) {
  return renderScreen(
    <AuthProvider user={user}>
      <SettingsForm />
    </AuthProvider>,
  );
}

const saveButton = () => screen.getByRole("button", { name: "Save Settings" });
const secret = (name: string) => within(screen.getByRole("group", { name }));

it("is prefilled from the user, but a secret never comes back: only its last characters", () => {
  open();
  expect(screen.getByRole("form", { name: "API Settings" })).toBeVisible();
  expect(screen.getByLabelText("Blogging-site URL")).toHaveValue("https://blog.example.com");
  expect(screen.getByLabelText("Blogging-site username")).toHaveValue("editor");
  expect(secret("AI provider API key").getByText("Stored, ends in a4F2")).toBeInTheDocument();
  expect(secret("Blogging-site password").getByText("Stored")).toBeInTheDocument();
  expect(screen.queryByLabelText("AI provider API key", { selector: "input" })).not.toBeInTheDocument();
});

it("saves the changed fields alone and says so", async () => {
  const saved = { ...STORED, wordpressUsername: "chief" };
  save.mockResolvedValue({ ok: true, data: saved });
  const { user, client } = open();
  // Which pieces stand on the person's site is seen from what is saved here.
  const pieces = [...keys.projectContent(3), "publishable"];
  client.setQueryData(pieces, []);
  client.setQueryData(keys.categories(), []);
  await user.clear(screen.getByLabelText("Blogging-site username"));
  await user.type(screen.getByLabelText("Blogging-site username"), "chief");
  expect(screen.getByText("1 unsaved change")).toBeVisible();
  await user.click(saveButton());
  expect(await screen.findByText("Your settings have been updated successfully")).toBeVisible();
  expect(save).toHaveBeenCalledWith({ wordpressUsername: "chief" });
  expect(client.getQueryState(pieces)?.isInvalidated).toBe(true);
  expect(client.getQueryData(keys.categories())).toBeUndefined();
  expect(screen.getByLabelText("Blogging-site username")).toHaveValue("chief");
  expect(screen.queryByText("1 unsaved change")).not.toBeInTheDocument();
});

it("takes a new key in masked, and is empty of it once it is saved", async () => {
  save.mockResolvedValue({ ok: true, data: someUser({ hasOpenaiApiKey: true, openaiApiKeyHint: "9999" }) });
  const { user } = open(someUser());
  const field = screen.getByLabelText("AI provider API key");
  expect(field).toHaveAttribute("type", "password");
  await user.type(field, "sk-123456789999");
  await user.click(saveButton());
  expect(await screen.findByText("Stored, ends in 9999")).toBeInTheDocument();
  expect(save).toHaveBeenCalledWith({ openaiApiKey: "sk-123456789999" });
});

it("removes a secret with the save, and not if one thinks better of it", async () => {
  save.mockResolvedValue({ ok: true, data: { ...STORED, hasOpenaiApiKey: false, openaiApiKeyHint: null } });
  const { user } = open();
  await user.click(secret("Blogging-site password").getByRole("button", { name: "Remove" }));
  await user.click(secret("Blogging-site password").getByRole("button", { name: "Undo" }));
  await user.click(secret("AI provider API key").getByRole("button", { name: "Remove" }));
  expect(save).not.toHaveBeenCalled();
  await user.click(saveButton());
  await waitFor(() => expect(save).toHaveBeenCalledWith({ openaiApiKey: null }));
  expect(await screen.findByLabelText("AI provider API key", { selector: "input" })).toHaveValue("");
});

it("replaces a secret, and keeps the stored one if one thinks better of it", async () => {
  const { user } = open();
  await user.click(secret("AI provider API key").getByRole("button", { name: "Replace" }));
  await user.type(screen.getByLabelText("AI provider API key"), "sk-new");
  await user.click(screen.getByRole("button", { name: "Keep the stored one" }));
  expect(secret("AI provider API key").getByText("Stored, ends in a4F2")).toBeInTheDocument();
  expect(screen.queryByText(/unsaved/)).not.toBeInTheDocument();
});

it("asks for the password in the same save when the site's address changes", async () => {
  save.mockResolvedValue({ ok: true, data: { ...STORED, wordpressUrl: "https://other.example.com" } });
  const { user } = open();
  await user.clear(screen.getByLabelText("Blogging-site URL"));
  await user.type(screen.getByLabelText("Blogging-site URL"), "https://other.example.com");
  await user.click(saveButton());
  const password = screen.getByLabelText("Blogging-site password");
  expect(password).toHaveAccessibleDescription(/the password is needed again/);
  expect(password).toBeInvalid();
  expect(save).not.toHaveBeenCalled();

  await user.type(password, "abcd efgh");
  await user.click(saveButton());
  await waitFor(() =>
    expect(save).toHaveBeenCalledWith({ wordpressUrl: "https://other.example.com", wordpressPassword: "abcd efgh" }),
  );
});

it("shows what the server refused at its field and as a notification", async () => {
  const sentence = "Enter the address of your site, such as https://blog.example.com.";
  save.mockResolvedValue({
    ok: false,
    error: {
      error: sentence,
      type: "VALIDATION_ERROR",
      status: 400,
      requestId: "r",
      fields: { wordpressUrl: [sentence] },
    },
  });
  const { user } = open(someUser());
  await user.type(screen.getByLabelText("Blogging-site URL"), "ftp://blog");
  await user.click(saveButton());
  expect(await screen.findByText("Error")).toBeVisible();
  expect(screen.getByLabelText("Blogging-site URL")).toHaveAccessibleDescription(sentence);
  expect(screen.getByLabelText("Blogging-site URL")).toHaveValue("ftp://blog");
});

describe("Test connection", () => {
  const button = () => screen.getByRole("button", { name: "Test connection" });

  it("tells who one is on the site and what may be in the way", async () => {
    const connection = {
      ok: true,
      site: "https://blog.example.com",
      roles: ["author"],
      warnings: ["No new categories."],
    };
    const calls = answerCalls({ "POST /api/wordpress/test": () => ({ json: connection }) });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText("Connected to https://blog.example.com as author")).toBeVisible();
    expect(screen.getByText("No new categories.")).toBeVisible();
    expect(calls).toEqual([{ method: "POST", url: "/api/wordpress/test", body: undefined }]);
  });

  it("tells why it does not work", async () => {
    const sentence = "Could not connect to WordPress site.";
    const detail = "There is no site named blog.example.com: check the spelling.";
    const json = { ...failure(sentence, "CONNECTION_ERROR"), detail };
    answerCalls({ "POST /api/wordpress/test": () => ({ status: 502, json }) });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText("The connection does not work")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    expect(screen.getByText(detail)).toBeVisible();
  });

  it("waits for complete and saved credentials, and says so", async () => {
    const { user } = open();
    expect(button()).toBeEnabled();
    await user.type(screen.getByLabelText("Blogging-site username"), "2");
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription(/Save your changes first/);
  });

  it("cannot be run without credentials", () => {
    open(someUser());
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription("Save URL, username and password first.");
  });
});
