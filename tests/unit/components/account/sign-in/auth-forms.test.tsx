/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { AuthForms } from "@/components/account/sign-in/auth-forms";
import { SignInFailed } from "@/components/account/sign-in/sign-in-failed";
import { signInFailure } from "@/lib/auth/sign-in-failure";
import { keys } from "@/lib/client/query-keys";
import { continueWithGoogleAction } from "@/lib/features/account/google/actions";
import { requestResetAction } from "@/lib/features/account/reset/actions";
import { registerAction, signInAction } from "@/lib/features/account/sign-in/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const replace = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ replace }), unstable_rethrow: jest.fn() }));
jest.mock("@/lib/features/account/sign-in/actions", () => ({
  signInAction: jest.fn(),
  registerAction: jest.fn(),
  signOutAction: jest.fn(),
}));
jest.mock("@/lib/features/account/reset/actions", () => ({ requestResetAction: jest.fn() }));
jest.mock("@/lib/features/account/google/actions", () => ({
  continueWithGoogleAction: jest.fn(async () => undefined),
}));

const signIn = jest.mocked(signInAction);
const register = jest.mocked(registerAction);
const requestReset = jest.mocked(requestResetAction);

beforeEach(() => {
  replace.mockReset();
  signIn.mockReset();
  register.mockReset();
  requestReset.mockReset();
});

function open(next = "/", canReset = true, isGoogleEnabled = false) {
  return renderScreen(
    <AuthProvider user={null}>
      <AuthForms next={next} canReset={canReset} isGoogleEnabled={isGoogleEnabled} />
    </AuthProvider>,
  );
}

function refusal(error: string, fields?: Record<string, string[]>) {
  const type = fields ? ("DUPLICATE" as const) : ("UNAUTHENTICATED" as const);
  return {
    ok: false as const,
    error: { error, type, status: fields ? 409 : 401, requestId: "r", ...(fields && { fields }) },
  };
}

it("keeps the typed username and email across the tabs, but no password", async () => {
  const { user } = open();
  await user.click(screen.getByRole("tab", { name: "Register" }));
  await user.type(screen.getByLabelText("Username"), "maren.holt");
  await user.type(screen.getByLabelText("Email"), "maren@example.com");
  await user.type(screen.getByLabelText("Password"), "a long phrase");
  await user.click(screen.getByRole("tab", { name: "Login" }));
  expect(screen.getByLabelText("Username")).toHaveValue("maren.holt");
  expect(screen.getByLabelText("Password")).toHaveValue("");
  await user.click(screen.getByRole("tab", { name: "Register" }));
  expect(screen.getByLabelText("Email")).toHaveValue("maren@example.com");
});

describe("Login", () => {
  it("signs in, stores the user and goes to the page the visitor asked for", async () => {
    signIn.mockResolvedValue({ ok: true, data: someUser() });
    const { user, client } = open("/content/1?tab=seo");
    await user.type(screen.getByLabelText("Username"), "maren.holt");
    await user.type(screen.getByLabelText("Password"), "a long phrase");
    await user.click(screen.getByRole("button", { name: "Login" }));
    await waitFor(() => expect(replace).toHaveBeenCalledWith("/content/1?tab=seo"));
    expect(signIn).toHaveBeenCalledWith({ username: "maren.holt", password: "a long phrase" });
    expect(client.getQueryData(keys.user())).toMatchObject({ username: "maren.holt" });
  });

  it("shows a refusal as 'Login failed' with the server's message, and keeps what was typed", async () => {
    signIn.mockResolvedValue(refusal("The username or password is not right."));
    const { user } = open();
    await user.type(screen.getByLabelText("Username"), "maren");
    await user.type(screen.getByLabelText("Password"), "wrong");
    await user.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByText("Login failed")).toBeVisible();
    expect(screen.getByText("The username or password is not right.")).toBeVisible();
    expect(screen.getByLabelText("Username")).toHaveValue("maren");
    expect(screen.getByLabelText("Password")).toHaveValue("wrong");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("That username and password do not match.");
    await waitFor(() => expect(screen.getByLabelText("Password")).toHaveFocus());
    expect(replace).not.toHaveBeenCalled();
    signIn.mockResolvedValue({ ok: true, data: someUser() });
    await user.click(screen.getByRole("button", { name: "Login" }));
    await waitFor(() => expect(replace).toHaveBeenCalled());
    // The failure does not follow the user into the app.
    await waitFor(() => expect(screen.queryByText("Login failed")).not.toBeInTheDocument());
  });

  it("marks empty fields before anything is sent", async () => {
    const { user } = open();
    await user.click(screen.getByRole("button", { name: "Login" }));
    expect(screen.getByLabelText("Username")).toBeInvalid();
    expect(screen.getByLabelText("Password")).toBeInvalid();
    await waitFor(() => expect(screen.getByLabelText("Username")).toHaveFocus());
    expect(signIn).not.toHaveBeenCalled();
  });

  it("says that resets are not set up when the server cannot send mail", async () => {
    const { user } = open("/", false);
    await user.click(screen.getByRole("button", { name: "Forgot password?" }));
    expect(await screen.findByRole("dialog", { name: "Reset Password" })).toHaveAccessibleDescription(
      "Password reset by e-mail is not set up on this server.",
    );
  });

  it("says why Google cannot be used", () => {
    open();
    const button = screen.getByRole("button", { name: "continue with Google" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription("Google sign-in is not set up on this server.");
  });
});

describe("Reset Password", () => {
  async function openDialog() {
    const { user } = open();
    await user.click(screen.getByRole("button", { name: "Forgot password?" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reset Password" }));
    return { user, dialog, send: () => user.click(dialog.getByRole("button", { name: "Send Reset Link" })) };
  }

  it("requests a link, says that it was sent, closes, and signs nobody in", async () => {
    requestReset.mockResolvedValue({ ok: true, data: { message: "On its way." } });
    const { user, dialog, send } = await openDialog();
    await user.type(dialog.getByLabelText("Email"), "Maren@Example.com");
    await send();
    expect(await screen.findByText("Password reset email sent")).toBeVisible();
    expect(screen.getByText("Please check your email for instructions to reset your password.")).toBeVisible();
    expect(requestReset).toHaveBeenCalledWith({ email: "maren@example.com" });
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(signIn).not.toHaveBeenCalled();
    expect(screen.getByLabelText("Username")).not.toHaveAttribute("aria-invalid");
  });

  it("shows an invalid address at its field before anything is sent", async () => {
    const { user, dialog, send } = await openDialog();
    await user.type(dialog.getByLabelText("Email"), "nowhere");
    await send();
    expect(dialog.getByLabelText("Email")).toHaveAccessibleDescription(/^Please enter a valid email address/);
    expect(requestReset).not.toHaveBeenCalled();
  });

  it("shows a refusal as 'Password reset failed' and keeps what was typed", async () => {
    const error = { error: "Too many attempts.", type: "RATE_LIMITED" as const, status: 429, requestId: "r" };
    requestReset.mockResolvedValue({ ok: false, error });
    const { user, dialog, send } = await openDialog();
    await user.type(dialog.getByLabelText("Email"), "maren@example.com");
    await send();
    expect(await screen.findByText("Password reset failed")).toBeVisible();
    expect(screen.getByText("Too many attempts.")).toBeVisible();
    expect(dialog.getByLabelText("Email")).toHaveValue("maren@example.com");
  });

  it("closes on Cancel", async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  });
});

describe("Register", () => {
  async function fill(username: string, email: string, password: string) {
    const { user } = open();
    await user.click(screen.getByRole("tab", { name: "Register" }));
    if (username) await user.type(screen.getByLabelText("Username"), username);
    if (email) await user.type(screen.getByLabelText("Email"), email);
    if (password) await user.type(screen.getByLabelText("Password"), password);
    await user.click(screen.getByRole("button", { name: "Register" }));
  }

  it("creates the account without an e-mail when none was given", async () => {
    register.mockResolvedValue({ ok: true, data: someUser() });
    await fill("maren.holt", "", "a long phrase");
    await waitFor(() => expect(replace).toHaveBeenCalledWith("/"));
    expect(register).toHaveBeenCalledWith({ username: "maren.holt", email: null, password: "a long phrase" });
  });

  it("shows what is wrong at each field", async () => {
    await fill("m n", "nowhere", "short");
    expect(screen.getByLabelText("Username")).toHaveAccessibleDescription(/letters, digits/);
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(/^Please enter a valid email address/);
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(/^Use at least 8 characters\./);
    expect(register).not.toHaveBeenCalled();
  });

  it("shows a taken name as 'Registration failed' and at its field", async () => {
    register.mockResolvedValue(refusal("This username is taken.", { username: ["This username is taken."] }));
    await fill("maren.holt", "", "a long phrase");
    expect(await screen.findByText("Registration failed")).toBeVisible();
    expect(screen.getByLabelText("Username")).toHaveAccessibleDescription("This username is taken.");
  });
});

describe("A failure at the identity provider", () => {
  it("shows 'Authentication failed' once, and leaves the address", async () => {
    window.history.replaceState(null, "", "/auth?error=Cancelled&next=%2Fcontent");
    renderScreen(<SignInFailed sentence={signInFailure("Cancelled") ?? ""} next="/content" />);
    expect(await screen.findByText("Authentication failed")).toBeVisible();
    expect(screen.getByText(/^The sign-in with Google was cancelled/)).toBeVisible();
    expect(window.location.search).toBe("?next=%2Fcontent");
  });

  it("has a message for each code, one for unknown codes, and none without a failure", () => {
    expect(signInFailure("Exists")).toBe(
      "An account with this e-mail exists: sign in with your password and connect Google in Settings",
    );
    expect(signInFailure("__proto__")).toMatch(/^The sign-in did not work/);
    expect([signInFailure(undefined), signInFailure(""), signInFailure(["a"])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("The Google button", () => {
  it("goes to Google with the page to return to", async () => {
    const { user } = open("/content", true, true);
    await user.click(screen.getByRole("button", { name: "continue with Google" }));
    await waitFor(() => expect(jest.mocked(continueWithGoogleAction)).toHaveBeenCalledTimes(1));
    expect(jest.mocked(continueWithGoogleAction).mock.calls[0]?.[0].get("next")).toBe("/content");
  });

  it("keeps the page and what was typed when the server does not answer", async () => {
    jest.mocked(continueWithGoogleAction).mockRejectedValueOnce(new TypeError("fetch failed"));
    const { user } = open("/", true, true);
    await user.type(screen.getByLabelText("Username"), "maren.holt");
    await user.click(screen.getByRole("button", { name: "continue with Google" }));
    expect(await screen.findByText("Authentication failed")).toBeVisible();
    expect(screen.getByLabelText("Username")).toHaveValue("maren.holt");
  });

  it("is disabled with the reason when Google is not set up", () => {
    open();
    const button = screen.getByRole("button", { name: "continue with Google" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription("Google sign-in is not set up on this server.");
  });
});
