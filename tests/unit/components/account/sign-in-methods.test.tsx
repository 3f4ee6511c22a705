/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { SignInAgain } from "@/components/account/sign-in-again";
import { SignInMethods } from "@/components/account/sign-in-methods";
import { connectGoogleAction, disconnectGoogleAction, signInAgainAction } from "@/lib/features/account/actions";
import type { SignInMethods as Methods } from "@/lib/features/account/schema";
import { renderScreen } from "@/tests/support/render";

const refresh = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ refresh }), unstable_rethrow: jest.fn() }));
jest.mock("@/lib/features/account/actions", () => ({
  connectGoogleAction: jest.fn(),
  disconnectGoogleAction: jest.fn(),
  signInAgainAction: jest.fn(async () => undefined),
}));

const METHODS: Methods = { hasPassword: true, isGoogleOn: true, isGoogleConnected: false, isEmailVerified: false };
const WRONG = "The current password is not right.";

beforeEach(() => {
  jest.mocked(connectGoogleAction).mockReset();
  jest.mocked(disconnectGoogleAction).mockReset();
  refresh.mockReset();
});

const open = (methods: Partial<Methods> = {}) => renderScreen(<SignInMethods methods={{ ...METHODS, ...methods }} />);

it.each([
  [{}, "Not connected", "Connect Google"],
  [{ isGoogleConnected: true }, "Connected", "Disconnect Google"],
] as const)("says how Google stands and what can be done: %j", (methods, state, button) => {
  open(methods);
  expect(screen.getByText(state)).toBeVisible();
  expect(screen.getByRole("button", { name: button })).toBeVisible();
});

it("offers nothing where Google is not set up", () => {
  open({ isGoogleOn: false });
  expect(screen.getByText("Not set up on this server")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

it("asks for the password before it leaves for Google, and shows at the field that it is wrong", async () => {
  const error = {
    error: WRONG,
    type: "VALIDATION_ERROR",
    status: 400,
    requestId: "r",
    fields: { currentPassword: [WRONG] },
  };
  jest.mocked(connectGoogleAction).mockResolvedValue({ ok: false, error } as never);
  const { user } = open();
  await user.click(screen.getByRole("button", { name: "Connect Google" }));
  const dialog = await screen.findByRole("dialog", { name: "Connect Google" });
  await user.type(within(dialog).getByLabelText("Current password"), "not it at all");
  await user.click(within(dialog).getByRole("button", { name: "Continue to Google" }));
  expect(await within(dialog).findByText(WRONG)).toBeVisible();
  expect(within(dialog).getByLabelText("Current password")).toHaveValue("not it at all");
  expect(connectGoogleAction).toHaveBeenCalledWith({ currentPassword: "not it at all" });
});

it("takes Google away with the password, and draws the page anew", async () => {
  jest.mocked(disconnectGoogleAction).mockResolvedValue({ ok: true, data: METHODS });
  const { user } = open({ isGoogleConnected: true });
  await user.click(screen.getByRole("button", { name: "Disconnect Google" }));
  const dialog = await screen.findByRole("dialog", { name: "Disconnect Google" });
  await user.type(within(dialog).getByLabelText("Current password"), "a calm desk for words");
  await user.click(within(dialog).getByRole("button", { name: "Disconnect Google" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(refresh).toHaveBeenCalledTimes(1);
});

it("does not take away the only way in", async () => {
  const { user } = open({ isGoogleConnected: true, hasPassword: false });
  await user.click(screen.getByRole("button", { name: "Disconnect Google" }));
  expect(await screen.findByText(/^Set a password first/)).toBeVisible();
  expect(screen.queryByLabelText("Current password")).toBeNull();
});

describe("Signing in again", () => {
  it("stays where it is when the server does not answer, with a sentence", async () => {
    jest.mocked(signInAgainAction).mockRejectedValueOnce(new Error("An unexpected response was received."));
    const { user } = renderScreen(
      <SignInAgain methods={{ ...METHODS, hasPassword: false, isGoogleConnected: true }} />,
    );
    await user.click(screen.getByRole("button", { name: "Sign in with Google again" }));
    expect(await screen.findByText("Authentication failed")).toBeVisible();
    expect(screen.getByText(/What you typed is still here/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Sign in with Google again" })).toBeEnabled());
    jest.mocked(signInAgainAction).mockClear();
  });

  it("is nothing for whoever has a password", () => {
    renderScreen(<SignInAgain methods={METHODS} />);
    expect(screen.queryByText(/sign-in of the last ten minutes/)).toBeNull();
  });

  it("leads to Google when it is connected, and only says so otherwise", async () => {
    const methods = { ...METHODS, hasPassword: false, isGoogleConnected: true };
    const { user, rerender } = renderScreen(<SignInAgain methods={methods} />);
    await user.click(screen.getByRole("button", { name: "Sign in with Google again" }));
    await waitFor(() => expect(signInAgainAction).toHaveBeenCalledTimes(1));
    rerender(<SignInAgain methods={{ ...methods, isGoogleOn: false }} />);
    expect(screen.getByText(/sign-in of the last ten minutes/)).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
