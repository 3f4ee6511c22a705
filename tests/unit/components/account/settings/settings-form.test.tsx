/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { SettingsForm } from "@/components/account/settings/settings-form";
import { loadPage } from "@/lib/client/load-page";
import { keys } from "@/lib/client/query-keys";
import type { UserOut } from "@/lib/features/account/schema";
import { saveSettingsAction } from "@/lib/features/sites/actions";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));

jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: jest.fn() }));
jest.mock("@/lib/client/load-page", () => ({ loadPage: jest.fn() }));
const load = jest.mocked(loadPage);
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

it("is prefilled from the user, with only the last characters of a secret", () => {
  open();
  expect(screen.getByRole("form", { name: "API Settings" })).toBeVisible();
  expect(screen.getByLabelText("Blogging-site URL")).toHaveValue("https://blog.example.com");
  expect(screen.getByLabelText("Blogging-site username")).toHaveValue("editor");
  expect(secret("AI provider API key").getByText("Stored, ends in a4F2")).toBeInTheDocument();
  expect(secret("Blogging-site password").getByText("Stored")).toBeInTheDocument();
  expect(screen.queryByLabelText("AI provider API key", { selector: "input" })).not.toBeInTheDocument();
});

it("links to where a key and, once the site's address is typed, an application password are made", async () => {
  const { user } = open(someUser());
  const key = screen.getByRole("link", { name: /^Create a key at OpenAI/ });
  expect(key).toHaveAttribute("href", "https://platform.openai.com/api-keys");
  expect(key).toHaveAttribute("target", "_blank");
  expect(key.getAttribute("rel")).toContain("noopener");
  const address = screen.getByLabelText("Blogging-site URL");
  for (const [typed, href] of [
    ["blog", null],
    ["javascript:alert(1)", null],
    ["blog.example.com", "https://blog.example.com/wp-admin/profile.php#application-passwords-section"],
    [
      "http://example.com/blog/wp-admin/index.php?x=1",
      "http://example.com/blog/wp-admin/profile.php#application-passwords-section",
    ],
  ] as const) {
    await user.clear(address);
    await user.type(address, typed);
    const link = screen.queryByRole("link", { name: /^Create an application password on your site/ });
    expect(link?.getAttribute("href") ?? null).toBe(href);
  }
});

it("saves only the changed fields and says so", async () => {
  const saved = { ...STORED, wordpressUsername: "chief" };
  save.mockResolvedValue({ ok: true, data: saved });
  const { user, client } = open();
  // These settings decide which pieces count as being on the user's site.
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

it("masks a new key, and clears it once saved", async () => {
  save.mockResolvedValue({ ok: true, data: someUser({ hasOpenaiApiKey: true, openaiApiKeyHint: "9999" }) });
  const { user } = open(someUser());
  const field = screen.getByLabelText("AI provider API key");
  expect(field).toHaveAttribute("type", "password");
  await user.type(field, "sk-123456789999");
  await user.click(saveButton());
  expect(await screen.findByText("Stored, ends in 9999")).toBeInTheDocument();
  expect(save).toHaveBeenCalledWith({ openaiApiKey: "sk-123456789999" });
});

it("removes a secret on save, unless undone", async () => {
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

it("keeps the stored secret when its replacement is cancelled", async () => {
  const { user } = open();
  await user.click(secret("AI provider API key").getByRole("button", { name: "Replace" }));
  await user.type(screen.getByLabelText("AI provider API key"), "sk-new");
  await user.click(screen.getByRole("button", { name: "Keep the stored one" }));
  expect(secret("AI provider API key").getByText("Stored, ends in a4F2")).toBeInTheDocument();
  expect(screen.queryByText(/unsaved/)).not.toBeInTheDocument();
});

it("requires the password in the same save when the site's address changes", async () => {
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

it("shows a server error at its field and as a notification", async () => {
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

const REPORT = {
  name: "Maren's garden",
  url: "https://blog.example.com",
  version: "6.5.5",
  role: "author",
  mayNot: ["create categories", "edit others' posts"],
  plugins: ["Yoast SEO"],
};

describe("Connect with WordPress", () => {
  const button = () => screen.getByRole("button", { name: "Connect with WordPress" });
  const address = () => screen.getByLabelText("Blogging-site URL");
  const link = () => screen.getByRole("link", { name: /^Create an application password on your site/ });
  const APPROVE = "https://blog.example.com/wp-admin/authorize-application.php?app_name=x";

  beforeEach(() => load.mockReset());

  it("opens the page of the typed site in this tab, without a question about the typed address", async () => {
    const calls = mockApi({
      "POST /api/wordpress/connect": () => ({
        json: { authorizeUrl: `${APPROVE}&success_url=y`, reason: null, passwordsPage: APPROVE },
      }),
    });
    // False if the browser would ask.
    const canLeave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    load.mockImplementation(() => expect(canLeave()).toBe(true));
    const { user } = open(someUser());
    await user.type(address(), " blog.example.com ");
    expect(canLeave()).toBe(false);
    await user.click(button());
    await waitFor(() => expect(load).toHaveBeenCalledWith(`${APPROVE}&success_url=y`));
    expect(calls).toEqual([{ method: "POST", url: "/api/wordpress/connect", body: { url: "blog.example.com" } }]);
  });

  it.each([
    ["plain-http", /over https only/],
    ["no-endpoint", /does not offer to connect applications/],
  ])("says why the site cannot send the password, and where to make one: %s", async (reason, sentence) => {
    mockApi({
      "POST /api/wordpress/connect": () => ({ json: { authorizeUrl: null, reason, passwordsPage: APPROVE } }),
    });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(link()).toHaveAttribute("href", APPROVE);
    expect(load).not.toHaveBeenCalled();
    // What was found out is of that site alone.
    await user.type(address(), "/other");
    expect(screen.queryByText(sentence)).not.toBeInTheDocument();
    expect(link()).toHaveAttribute(
      "href",
      "https://blog.example.com/other/wp-admin/profile.php#application-passwords-section",
    );
  });

  it("says why the site was not found", async () => {
    const json = { ...failure("Could not connect.", "CONNECTION_ERROR"), detail: "There is no site named that." };
    mockApi({ "POST /api/wordpress/connect": () => ({ status: 502, json }) });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText("Could not connect.")).toBeVisible();
    expect(screen.getByText("There is no site named that.")).toBeVisible();
  });

  it("waits for an address, and until a new secret is saved, which leaving the page would lose", async () => {
    const calls = mockApi({});
    const { user } = open(someUser());
    await user.click(button());
    await user.type(address(), "blog.example.com");
    expect(button()).not.toHaveAttribute("aria-disabled");
    await user.type(screen.getByLabelText("AI provider API key"), "sk-123");
    expect(button()).toHaveAttribute("aria-disabled", "true");
    await user.click(button());
    expect(calls).toEqual([]);
  });
});

describe("Test connection", () => {
  const button = () => screen.getByRole("button", { name: "Test connection" });

  it("shows the site, the user's role there, what it may not do, and any warnings", async () => {
    const connection = {
      ok: true,
      site: "https://blog.example.com",
      report: REPORT,
      roles: ["author"],
      warnings: ["No new categories."],
    };
    const calls = mockApi({ "POST /api/wordpress/test": () => ({ json: connection }) });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText("Connected to Maren's garden as author")).toBeVisible();
    const facts = screen.getAllByRole("definition").map(({ textContent }) => textContent);
    expect(facts).toEqual([
      "https://blog.example.com",
      "6.5.5",
      "author",
      "create categories, edit others' posts",
      "Yoast SEO",
    ]);
    expect(screen.getByText("No new categories.")).toBeVisible();
    expect(calls).toEqual([{ method: "POST", url: "/api/wordpress/test", body: undefined }]);
  });

  it("guesses nothing that the site does not say", async () => {
    const report = { ...REPORT, version: null, role: null, mayNot: [], plugins: [] };
    const connection = { ok: true, site: "https://blog.example.com", report, roles: [], warnings: [], question: null };
    mockApi({ "POST /api/wordpress/test": () => ({ json: connection }) });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText("The site does not show its version.")).toBeVisible();
    expect(screen.getByText("None on this site.")).toBeVisible();
    expect(screen.getByText("None that we know.")).toBeVisible();
  });

  it.each([
    ["The same site", "same"],
    ["Another site", "other"],
  ])("asks which site it is when that is uncertain, and sends the answer: %s", async (answer, site) => {
    const connection = {
      ok: true,
      site: "https://new.example",
      report: REPORT,
      roles: ["editor"],
      warnings: [],
      question: null,
    };
    const question = "Is new.example the same site as old.example at a new address, or another site?";
    const calls = mockApi({
      "POST /api/wordpress/test": (body) => ({ json: body ? connection : { ...connection, question } }),
    });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText(`${question} Nothing is published there until you have answered.`)).toBeVisible();
    expect(screen.queryByText("You can publish to this site.")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: answer }));
    expect(await screen.findByText("You can publish to this site.")).toBeVisible();
    expect(screen.queryByText("Which site is this?")).not.toBeInTheDocument();
    expect(calls.filter(({ url }) => url === "/api/wordpress/test").map(({ body }) => body)).toEqual([
      undefined,
      { site },
    ]);
  });

  it("says why the connection does not work", async () => {
    const sentence = "Could not connect to WordPress site.";
    const detail = "There is no site named blog.example.com: check the spelling.";
    const json = { ...failure(sentence, "CONNECTION_ERROR"), detail };
    mockApi({ "POST /api/wordpress/test": () => ({ status: 502, json }) });
    const { user } = open();
    await user.click(button());
    expect(await screen.findByText("The connection does not work")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    expect(screen.getByText(detail)).toBeVisible();
  });

  it("is disabled while there are unsaved changes, and says why", async () => {
    const { user } = open();
    expect(button()).toBeEnabled();
    await user.type(screen.getByLabelText("Blogging-site username"), "2");
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription(/Save your changes first/);
  });

  it("is disabled without credentials", () => {
    open(someUser());
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription("Save URL, username and password first.");
  });
});

it("shows the site that has become the default one elsewhere on the page", async () => {
  const { client } = open();
  act(() => void client.setQueryData(keys.user(), { ...STORED, wordpressUrl: "https://shop.example.com" }));
  await waitFor(() => expect(screen.getByLabelText("Blogging-site URL")).toHaveValue("https://shop.example.com"));
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
