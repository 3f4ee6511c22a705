/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { Greeting } from "@/components/account/greeting";
import { SignInDetails } from "@/components/account/settings/sign-in-details";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const mockRefresh = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn(), refresh: mockRefresh }) }));

const STORED = someUser({ email: "maren@example.com" });
const METHODS = { hasPassword: true, isGoogleEnabled: false, isGoogleConnected: false, isEmailVerified: true };

beforeEach(() => mockRefresh.mockReset());

function open(methods = METHODS) {
  return renderScreen(
    <AuthProvider user={STORED}>
      <Greeting />
      <SignInDetails methods={methods} canMail />
    </AuthProvider>,
  );
}

const username = () => screen.getByLabelText("Username");
const email = () => screen.getByLabelText("Email");
const current = () => screen.getByLabelText("Current password");
const save = () => screen.getByRole("button", { name: "Save Account" });

type User = ReturnType<typeof open>["user"];

async function retype(user: User, field: HTMLElement, text: string) {
  await user.clear(field);
  await user.type(field, text);
}

const refuse = (status: number, sentence: string, type: string, field?: string) =>
  mockApi({
    "PATCH /api/user": () => ({ status, json: failure(sentence, type, field ? { [field]: [sentence] } : undefined) }),
  });

it("shows what is stored, marks its fields for password managers, and asks for no password yet", () => {
  open();
  expect(username()).toHaveValue("maren.holt");
  expect(username()).toHaveAttribute("autocomplete", "username");
  expect(email()).toHaveValue("maren@example.com");
  expect(email()).toHaveAttribute("autocomplete", "email");
  expect(screen.queryByLabelText("Current password")).not.toBeInTheDocument();
});

it("disables Save Account until something has changed, and says why", async () => {
  const calls = mockApi({});
  const { user } = open();
  expect(save()).toHaveAttribute("aria-disabled", "true");
  await user.hover(save());
  expect(await screen.findByRole("tooltip")).toHaveTextContent("Change username or email first.");
  await user.click(save());
  await user.type(username(), "{Enter}");
  expect(calls).toEqual([]);
});

it("sends only the changed field and the password, then updates the name and refreshes the page", async () => {
  const calls = mockApi({ "PATCH /api/user": () => ({ json: { ...STORED, username: "maren.h" } }) });
  const { user } = open();
  await retype(user, username(), "maren.h");
  expect(screen.getByRole("status")).toHaveTextContent("1 unsaved change");
  expect(current()).toHaveAttribute("autocomplete", "current-password");
  await user.type(current(), "a calm desk for words");
  await user.click(save());
  expect(await screen.findByText("Account saved")).toBeVisible();
  const body = { username: "maren.h", currentPassword: "a calm desk for words" };
  expect(calls).toEqual([{ method: "PATCH", url: "/api/user", body }]);
  expect(screen.getByRole("heading", { name: "Welcome, maren.h" })).toBeVisible();
  expect(mockRefresh).toHaveBeenCalledTimes(1);
  expect(screen.queryByLabelText("Current password")).not.toBeInTheDocument();
  expect(screen.queryByText(/unsaved/)).not.toBeInTheDocument();
});

it("removes the address when the field is empty", async () => {
  const calls = mockApi({ "PATCH /api/user": () => ({ json: { ...STORED, email: null } }) });
  const { user } = open();
  await user.clear(email());
  await user.type(current(), "a calm desk for words{Enter}");
  await waitFor(() => expect(calls[0]?.body).toEqual({ email: null, currentPassword: "a calm desk for words" }));
  await waitFor(() => expect(email()).toHaveAccessibleDescription(/^Optional/));
});

it.each(["{Enter}", "{Tab}{Enter}"])("keeps the focus on its button after saving with %s", async (keys) => {
  mockApi({ "PATCH /api/user": () => ({ json: { ...STORED, username: "maren.h" } }) });
  const { user } = open();
  await retype(user, username(), "maren.h");
  await user.type(current(), `a calm desk for words${keys}`);
  expect(await screen.findByText("Account saved")).toBeVisible();
  await waitFor(() => expect(save()).toHaveFocus());
});

it("shows errors at the fields before anything is sent, and focuses the first", async () => {
  const calls = mockApi({});
  const { user } = open();
  await retype(user, username(), "a b");
  await retype(user, email(), "no address");
  await user.click(save());
  await waitFor(() => expect(username()).toHaveAccessibleDescription(/^Use letters, digits/));
  expect(email()).toHaveAccessibleDescription(/^Please enter a valid email address/);
  expect(current()).toHaveAccessibleDescription(/^Enter your current password\./);
  await waitFor(() => expect(username()).toHaveFocus());
  expect(calls).toEqual([]);
});

it.each([
  [409, "DUPLICATE", "username", "This username is taken. Choose another.", username],
  [409, "DUPLICATE", "email", "Another account has this e-mail. Use a different one.", email],
  [400, "VALIDATION_ERROR", "currentPassword", "The current password is not right.", current],
  [429, "RATE_LIMITED", undefined, "Too many attempts. Please wait a little, then try again.", current],
] as const)(
  "shows a refusal with %i %s (%s) at its field and keeps what was typed",
  async (status, type, at, sentence, field) => {
    refuse(status, sentence, type, at);
    const { user } = open();
    await retype(user, username(), "taken");
    await retype(user, email(), "taken@example.com");
    await user.type(current(), "a calm desk");
    await user.click(save());
    await waitFor(() => expect(field()).toHaveAccessibleDescription(expect.stringContaining(sentence)));
    await waitFor(() => expect(field()).toHaveFocus());
    expect([username(), email(), current()].map((one) => (one as HTMLInputElement).value)).toEqual([
      "taken",
      "taken@example.com",
      "a calm desk",
    ]);
    expect(screen.getAllByText(sentence)).toHaveLength(1);
    expect(mockRefresh).not.toHaveBeenCalled();
  },
);

it("shows an error without a field as a notification, and keeps what was typed", async () => {
  refuse(503, "The service is not available right now.", "SERVICE_UNAVAILABLE");
  const { user } = open();
  await retype(user, username(), "maren.h");
  await user.type(current(), "a calm desk for words");
  await user.click(save());
  expect(await screen.findByText("The service is not available right now.")).toBeVisible();
  expect(username()).toHaveValue("maren.h");
});

it("clears an error when the refused change is undone", async () => {
  refuse(409, "This username is taken. Choose another.", "DUPLICATE", "username");
  const { user } = open();
  await retype(user, username(), "taken");
  await user.type(current(), "a calm desk{Enter}");
  await waitFor(() => expect(username()).toBeInvalid());
  await retype(user, username(), "maren.holt");
  expect(username()).toBeValid();
});

it("asks before leaving unsaved changes", async () => {
  const { user } = open();
  await user.type(username(), "2");
  await user.click(screen.getByRole("button", { name: "Logout" }));
  expect(await screen.findByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
});

it("asks for a fresh sign-in when the account has no password, and says when it is too old", async () => {
  const sentence = "This needs a fresh sign-in: sign out and in again, then do it within ten minutes.";
  const calls = refuse(400, sentence, "VALIDATION_ERROR");
  const { user } = open({ ...METHODS, hasPassword: false });
  expect(screen.getByText(/needs a sign-in of the last ten minutes/)).toBeVisible();
  await retype(user, username(), "maren.h");
  expect(screen.queryByLabelText("Current password")).not.toBeInTheDocument();
  await user.click(save());
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(calls[0]?.body).toEqual({ username: "maren.h" });
});
