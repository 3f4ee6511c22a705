/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { DeleteAccount } from "@/components/account/own-data/delete-account";
import { keys } from "@/lib/client/query-keys";
import type { SignInMethods } from "@/lib/features/account/google/schema";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const replace = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));

beforeAll(() => import("@/components/account/own-data/delete-account-dialog"));
beforeEach(() => replace.mockReset());

const WITH_PASSWORD: SignInMethods = {
  hasPassword: true,
  isGoogleEnabled: false,
  isGoogleConnected: false,
  isEmailVerified: false,
};
const DELETE = "DELETE /api/user";

async function openDialog(methods = WITH_PASSWORD) {
  const rendered = renderScreen(
    <AuthProvider user={someUser()}>
      <DeleteAccount methods={methods} />
    </AuthProvider>,
  );
  await rendered.user.click(screen.getByRole("button", { name: "Delete account" }));
  await screen.findByRole("dialog", { name: "Delete account" });
  return rendered;
}

const confirm = () => screen.getByLabelText("Type maren.holt to confirm");
const password = () => screen.getByLabelText("Password");
const submit = () => screen.getByRole("button", { name: "Delete account for good" });

it("says what is deleted and what stays before the dialog opens", () => {
  renderScreen(
    <AuthProvider user={someUser()}>
      <DeleteAccount methods={WITH_PASSWORD} />
    </AuthProvider>,
  );
  const sentences = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(sentences.join(" ")).toMatch(
    /projects, content, chats.*keys.*Pending and processing jobs end.*WordPress site stays/,
  );
  expect(screen.getByRole("button", { name: "Export everything first" })).toBeVisible();
});

it("requires the username and the password before it sends anything", async () => {
  const calls = mockApi({});
  const { user } = await openDialog();
  await user.type(confirm(), "Maren.Holt");
  await user.click(submit());
  expect(confirm()).toHaveAccessibleDescription(/^Type your username exactly as it is written to delete the account\./);
  expect(password()).toHaveAccessibleDescription(/^Enter your current password\./);
  await waitFor(() => expect(confirm()).toHaveFocus());
  expect(calls).toEqual([]);
});

it("deletes the account, clears the cache, goes to the sign-in page and says so", async () => {
  const calls = mockApi({ [DELETE]: () => ({ status: 204 }) });
  const { user, client } = await openDialog();
  client.setQueryData(keys.projects(), [{ id: 1, title: "Mine" }]);
  await user.type(confirm(), "maren.holt");
  await user.type(password(), "a calm desk for words");
  await user.click(submit());
  expect(await screen.findByText("Your account was deleted")).toBeVisible();
  expect(calls).toEqual([
    { method: "DELETE", url: "/api/user", body: { confirm: "maren.holt", password: "a calm desk for words" } },
  ]);
  expect(replace.mock.calls).toEqual([["/auth"]]);
  expect(client.getQueryData(keys.projects())).toBeUndefined();
  expect(client.getQueryData(keys.user())).toBeNull();
});

it("keeps what was typed when the password is wrong, and marks its field", async () => {
  const sentence = "The current password is not right.";
  const refused = failure(sentence, "VALIDATION_ERROR", { password: [sentence] });
  mockApi({ [DELETE]: () => ({ status: 400, json: refused }) });
  const { user, client } = await openDialog();
  client.setQueryData(keys.projects(), [{ id: 1, title: "Mine" }]);
  await user.type(confirm(), "maren.holt");
  await user.type(password(), "not it at all");
  await user.click(submit());
  await waitFor(() => expect(password()).toHaveAccessibleDescription(sentence));
  await waitFor(() => expect(password()).toHaveFocus());
  expect(confirm()).toHaveValue("maren.holt");
  expect(client.getQueryData(keys.projects())).toHaveLength(1);
  expect(replace).not.toHaveBeenCalled();
});

it("says that the account may still be there when the response is lost", async () => {
  mockApi({ [DELETE]: () => ({ status: 502, json: "<html>" }) });
  const { user } = await openDialog();
  await user.type(confirm(), "maren.holt");
  await user.type(password(), "a calm desk for words");
  await user.click(submit());
  expect(await screen.findByText("Your account may still be there")).toBeVisible();
  expect(screen.getByText(/Load this page again to see/)).toBeVisible();
  expect(confirm()).toHaveValue("maren.holt");
  expect(replace).not.toHaveBeenCalled();
});

it("waits for an export in progress", async () => {
  const { answer, give } = pendingAnswer();
  const calls = mockApi({ "GET /api/user/export": answer });
  const rendered = renderScreen(
    <AuthProvider user={someUser()}>
      <DeleteAccount methods={WITH_PASSWORD} />
    </AuthProvider>,
  );
  await rendered.user.click(screen.getByRole("button", { name: "Export everything first" }));
  await rendered.user.click(screen.getByRole("button", { name: "Delete account" }));
  await screen.findByRole("dialog", { name: "Delete account" });
  expect(submit()).toBeDisabled();
  expect(screen.getByText("Your export is still being saved. Wait until it is there.")).toBeVisible();
  give({ status: 500, json: failure("Not now.", "INTERNAL") });
  await waitFor(() => expect(submit()).toBeEnabled());
  expect(calls).toHaveLength(1);
});

it("stays open while the account is being deleted", async () => {
  const { answer, give } = pendingAnswer();
  mockApi({ [DELETE]: answer });
  const { user } = await openDialog();
  await user.type(confirm(), "maren.holt");
  await user.type(password(), "a calm desk for words");
  await user.click(submit());
  expect(submit()).toHaveAttribute("aria-busy", "true");
  await user.keyboard("{Escape}");
  expect(screen.getByRole("dialog", { name: "Delete account" })).toBeVisible();
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  give({ status: 204 });
  expect(await screen.findByText("Your account was deleted")).toBeVisible();
});

it("asks for a fresh sign-in when the account has no password", async () => {
  const stale = "This needs a fresh sign-in: sign out and in again, then do it within ten minutes.";
  const calls = mockApi({ [DELETE]: () => ({ status: 400, json: failure(stale, "VALIDATION_ERROR") }) });
  const { user } = await openDialog({ ...WITH_PASSWORD, hasPassword: false });
  expect(screen.queryByLabelText("Password")).not.toBeInTheDocument();
  expect(screen.getByText(/sign-in of the last ten minutes/)).toBeVisible();
  await user.type(confirm(), "maren.holt");
  await user.click(submit());
  expect(await screen.findByText(stale)).toBeVisible();
  expect(calls).toMatchObject([{ body: { confirm: "maren.holt" } }]);
});
