/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { SignInMethods } from "@/components/account/settings/sign-in-methods";
import { ReauthenticationNotice } from "@/components/account/sign-in/reauthentication-notice";
import { linkGoogleAction, reauthenticateAction, unlinkGoogleAction } from "@/lib/features/account/google/actions";
import type { SignInMethods as Methods } from "@/lib/features/account/google/schema";
import { renderScreen } from "@/tests/support/render";

const refresh = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ refresh }), unstable_rethrow: jest.fn() }));
jest.mock("@/lib/features/account/google/actions", () => ({
  linkGoogleAction: jest.fn(),
  unlinkGoogleAction: jest.fn(),
  reauthenticateAction: jest.fn(async () => undefined),
}));

const METHODS: Methods = { hasPassword: true, isGoogleEnabled: true, isGoogleConnected: false, isEmailVerified: false };
const WRONG = "The current password is not right.";

beforeEach(() => {
  jest.mocked(linkGoogleAction).mockReset();
  jest.mocked(unlinkGoogleAction).mockReset();
  refresh.mockReset();
});

const open = (methods: Partial<Methods> = {}) => renderScreen(<SignInMethods methods={{ ...METHODS, ...methods }} />);

it.each([
  [{}, "Not connected", "Connect Google"],
  [{ isGoogleConnected: true }, "Connected", "Disconnect Google"],
] as const)("shows whether Google is connected, and the matching button: %j", (methods, state, button) => {
  open(methods);
  expect(screen.getByText(state)).toBeVisible();
  expect(screen.getByRole("button", { name: button })).toBeVisible();
});

it("offers nothing when Google is not set up", () => {
  open({ isGoogleEnabled: false });
  expect(screen.getByText(/^Not set up: this server needs GOOGLE_CLIENT_ID/)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

it("asks for the password before going to Google, and shows a wrong one at its field", async () => {
  const error = {
    error: WRONG,
    type: "VALIDATION_ERROR",
    status: 400,
    requestId: "r",
    fields: { currentPassword: [WRONG] },
  };
  jest.mocked(linkGoogleAction).mockResolvedValue({ ok: false, error } as never);
  const { user } = open();
  await user.click(screen.getByRole("button", { name: "Connect Google" }));
  const dialog = await screen.findByRole("dialog", { name: "Connect Google" });
  await user.type(within(dialog).getByLabelText("Current password"), "not it at all");
  await user.click(within(dialog).getByRole("button", { name: "Continue to Google" }));
  expect(await within(dialog).findByText(WRONG)).toBeVisible();
  expect(within(dialog).getByLabelText("Current password")).toHaveValue("not it at all");
  expect(linkGoogleAction).toHaveBeenCalledWith({ currentPassword: "not it at all" });
});

it("disconnects Google with the password, and refreshes the page", async () => {
  jest.mocked(unlinkGoogleAction).mockResolvedValue({ ok: true, data: METHODS });
  const { user } = open({ isGoogleConnected: true });
  await user.click(screen.getByRole("button", { name: "Disconnect Google" }));
  const dialog = await screen.findByRole("dialog", { name: "Disconnect Google" });
  await user.type(within(dialog).getByLabelText("Current password"), "a calm desk for words");
  await user.click(within(dialog).getByRole("button", { name: "Disconnect Google" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(refresh).toHaveBeenCalledTimes(1);
});

it("does not disconnect the only way to sign in", async () => {
  const { user } = open({ isGoogleConnected: true, hasPassword: false });
  await user.click(screen.getByRole("button", { name: "Disconnect Google" }));
  expect(await screen.findByText(/^Set a password first/)).toBeVisible();
  expect(screen.queryByLabelText("Current password")).toBeNull();
});

describe("Signing in again", () => {
  it("stays on the page and says so when the server does not answer", async () => {
    jest.mocked(reauthenticateAction).mockRejectedValueOnce(new Error("An unexpected response was received."));
    const { user } = renderScreen(
      <ReauthenticationNotice methods={{ ...METHODS, hasPassword: false, isGoogleConnected: true }} />,
    );
    await user.click(screen.getByRole("button", { name: "Sign in with Google again" }));
    expect(await screen.findByText("Authentication failed")).toBeVisible();
    expect(screen.getByText(/What you typed is still here/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Sign in with Google again" })).toBeEnabled());
    jest.mocked(reauthenticateAction).mockClear();
  });

  it("is not needed with a password", () => {
    renderScreen(<ReauthenticationNotice methods={METHODS} />);
    expect(screen.queryByText(/sign-in of the last ten minutes/)).toBeNull();
  });

  it("goes to Google when it is connected, and only explains otherwise", async () => {
    const methods = { ...METHODS, hasPassword: false, isGoogleConnected: true };
    const { user, rerender } = renderScreen(<ReauthenticationNotice methods={methods} />);
    await user.click(screen.getByRole("button", { name: "Sign in with Google again" }));
    await waitFor(() => expect(reauthenticateAction).toHaveBeenCalledTimes(1));
    rerender(<ReauthenticationNotice methods={{ ...methods, isGoogleEnabled: false }} />);
    expect(screen.getByText(/sign-in of the last ten minutes/)).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
