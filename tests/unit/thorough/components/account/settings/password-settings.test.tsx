/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { Greeting } from "@/components/account/greeting";
import { PasswordSettings } from "@/components/account/settings/password-settings";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const mockRefresh = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn(), refresh: mockRefresh }) }));

const METHODS = { hasPassword: true, isGoogleEnabled: true, isGoogleConnected: true, isEmailVerified: true };

beforeEach(() => mockRefresh.mockReset());

function open(methods = METHODS) {
  return renderScreen(
    <AuthProvider user={someUser()}>
      <Greeting />
      <PasswordSettings methods={methods} />
    </AuthProvider>,
  );
}

const next = () => screen.getByLabelText("New password");
const current = () => screen.getByLabelText("Current password");
const submit = () => screen.getByRole("button", { name: "Change Password" });

it("marks the username and the new and current passwords for password managers", () => {
  const { container } = open();
  expect(next()).toHaveAttribute("autocomplete", "new-password");
  expect(current()).toHaveAttribute("autocomplete", "current-password");
  const name = container.querySelector('input[autocomplete="username"]');
  expect(name).toHaveValue("maren.holt");
  expect(name).not.toBeVisible();
});

it("sends both passwords, says that other devices were signed out, and clears its fields", async () => {
  const calls = mockApi({ "PATCH /api/user": () => ({ json: someUser() }) });
  const { user } = open();
  await user.type(next(), "another desk, by the window");
  await user.type(current(), "a calm desk for words");
  await user.click(submit());
  expect(await screen.findByText("Password changed")).toBeVisible();
  expect(screen.getByText("Every other device was signed out.")).toBeVisible();
  const body = { password: "another desk, by the window", currentPassword: "a calm desk for words" };
  expect(calls).toEqual([{ method: "PATCH", url: "/api/user", body }]);
  expect(next()).toHaveValue("");
  expect(current()).toHaveValue("");
  expect(mockRefresh).toHaveBeenCalledTimes(1);
});

it("shows errors at the fields before anything is sent", async () => {
  const calls = mockApi({});
  const { user } = open();
  await user.type(next(), "short");
  await user.click(submit());
  await waitFor(() => expect(next()).toHaveAccessibleDescription(/^Use at least 8 characters\./));
  expect(current()).toHaveAccessibleDescription(/^Enter your current password\./);
  await waitFor(() => expect(next()).toHaveFocus());
  expect(calls).toEqual([]);
});

it.each([
  [400, "VALIDATION_ERROR", "password", "This password is one of the most common ones. Choose another.", next],
  [400, "VALIDATION_ERROR", "currentPassword", "The current password is not right.", current],
  [429, "RATE_LIMITED", undefined, "Too many attempts. Please wait a little, then try again.", current],
] as const)(
  "shows a refusal with %i %s (%s) at its field and keeps what was typed",
  async (status, type, at, sentence, field) => {
    const json = failure(sentence, type, at ? { [at]: [sentence] } : undefined);
    mockApi({ "PATCH /api/user": () => ({ status, json }) });
    const { user } = open();
    await user.type(next(), "password123");
    await user.type(current(), "a calm desk");
    await user.click(submit());
    await waitFor(() => expect(field()).toHaveAccessibleDescription(expect.stringContaining(sentence)));
    await waitFor(() => expect(field()).toHaveFocus());
    expect(next()).toHaveValue("password123");
    expect(current()).toHaveValue("a calm desk");
  },
);

it("shows the new password on demand, and never the current one", async () => {
  const { user } = open();
  await user.click(screen.getByRole("button", { name: "Show password" }));
  expect(next()).toHaveAttribute("type", "text");
  expect(current()).toHaveAttribute("type", "password");
});

it("asks before leaving a typed new password, but not one the browser filled in", async () => {
  const { user } = open();
  await user.type(current(), "a calm desk for words");
  const leaves = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leaves()).toBe(true);
  await user.type(next(), "another desk");
  expect(leaves()).toBe(false);
  await user.click(screen.getByRole("button", { name: "Logout" }));
  expect(await screen.findByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
});

it("sets a first password without asking for a current one", async () => {
  const calls = mockApi({ "PATCH /api/user": () => ({ json: someUser() }) });
  const { user } = open({ ...METHODS, hasPassword: false });
  expect(screen.getByText(/has no password yet/)).toBeVisible();
  expect(screen.getByText(/needs a sign-in of the last ten minutes/)).toBeVisible();
  expect(screen.queryByLabelText("Current password")).not.toBeInTheDocument();
  await user.type(next(), "another desk, by the window");
  await user.click(screen.getByRole("button", { name: "Set Password" }));
  expect(await screen.findByText("Password set")).toBeVisible();
  expect(calls[0]?.body).toEqual({ password: "another desk, by the window" });
});
