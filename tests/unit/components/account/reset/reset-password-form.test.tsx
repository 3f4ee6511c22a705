/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ResetPasswordForm } from "@/components/account/reset/reset-password-form";
import { confirmResetAction } from "@/lib/features/account/reset/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/reset/actions", () => ({
  confirmResetAction: jest.fn(),
  requestResetAction: jest.fn(),
}));
const confirm = jest.mocked(confirmResetAction);

const replace = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));

const TOKEN = "t".repeat(43);
const DEAD = "This link is no longer valid. Please request a new link.";

beforeEach(() => {
  confirm.mockReset();
  replace.mockReset();
  openLink(`#token=${TOKEN}`);
});

type Opened = { canReset: boolean; user: ReturnType<typeof someUser> | null; next: string };

/** Without an event, which jsdom would dispatch later, during another test. */
function openLink(fragment: string) {
  window.history.replaceState(null, "", fragment);
}

function open({ canReset = true, user = null, next }: Partial<Opened> = {}) {
  return renderScreen(
    <AuthProvider user={user}>
      <ResetPasswordForm canReset={canReset} next={next} />
    </AuthProvider>,
  );
}

const field = () => screen.getByLabelText("New password");
const submit = () => screen.getByRole("button", { name: "Set New Password" });

function refusal(fields: Record<string, string[]>) {
  const error = Object.values(fields)[0]?.[0] ?? "";
  return {
    ok: false as const,
    error: { error, type: "VALIDATION_ERROR" as const, status: 400, requestId: "r", fields },
  };
}

it("sends the new password with the link's token, and links to the login", async () => {
  confirm.mockResolvedValue({ ok: true, data: { message: "Your password was changed." } });
  const { user } = open();
  await user.type(field(), "a wholly other long phrase");
  await user.click(submit());
  expect(await screen.findByText("Your password was changed.")).toBeVisible();
  expect(confirm).toHaveBeenCalledWith({ token: TOKEN, password: "a wholly other long phrase" });
  expect(screen.getByRole("link", { name: "Go to Login" })).toHaveAttribute("href", "/auth");
  expect(screen.queryByLabelText("New password")).not.toBeInTheDocument();
});

it("shows what is wrong with the password at its field, before and after sending", async () => {
  confirm.mockResolvedValue(refusal({ password: ["This password is one of the most common ones."] }));
  const { user } = open();
  await user.type(field(), "short");
  await user.click(submit());
  expect(field()).toHaveAccessibleDescription(/^Use at least 8 characters\./);
  expect(confirm).not.toHaveBeenCalled();
  await user.type(field(), "password123");
  await user.click(submit());
  await waitFor(() => expect(field()).toHaveAccessibleDescription(/^This password is one of the most common ones\./));
  await waitFor(() => expect(field()).toHaveFocus());
});

it("shows the typed password on demand", async () => {
  const { user } = open();
  const show = screen.getByRole("button", { name: "Show password" });
  expect(field()).toHaveAttribute("type", "password");
  await user.click(show);
  expect(field()).toHaveAttribute("type", "text");
  expect(show).toHaveAttribute("aria-pressed", "true");
});

it("offers a new link when this one is no longer valid, and starts over with another", async () => {
  confirm.mockResolvedValue(refusal({ token: [DEAD] }));
  const { user } = open();
  await user.type(field(), "a wholly other long phrase");
  await user.click(submit());
  expect(await screen.findByRole("alert")).toHaveTextContent(DEAD);
  expect(screen.getByRole("button", { name: "Request a New Link" })).toBeVisible();
  expect(screen.queryByText("Password reset failed")).not.toBeInTheDocument();
  act(() => {
    openLink(`#token=${"n".repeat(43)}`);
    window.dispatchEvent(new Event("hashchange"));
  });
  expect(field()).toHaveValue("");
});

it("shows a failure unrelated to the form as 'Password reset failed'", async () => {
  const error = { error: "Too many attempts.", type: "RATE_LIMITED" as const, status: 429, requestId: "r" };
  confirm.mockResolvedValue({ ok: false, error });
  const { user } = open();
  await user.type(field(), "a wholly other long phrase");
  await user.click(submit());
  expect(await screen.findByText("Password reset failed")).toBeVisible();
  expect(field()).toHaveValue("a wholly other long phrase");
});

it("says that the link is incomplete", () => {
  openLink("#");
  open();
  expect(screen.getByRole("alert")).toHaveTextContent("This link is not complete.");
  expect(screen.queryByLabelText("New password")).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Back to sign in" })).toHaveAttribute("href", "/auth");
});

describe("a signed-in user", () => {
  const user = someUser();

  it("is redirected from a page without a token to / or to the page they asked for", async () => {
    openLink("#");
    open({ user }).unmount();
    expect(replace.mock.calls).toEqual([["/"]]);
    open({ user, next: "/settings" });
    expect(replace.mock.calls.at(-1)).toEqual(["/settings"]);
    expect(screen.queryByText(/not complete/)).toBeNull();
  });

  it("stays on a page with a token, which may be for another account", async () => {
    open({ user });
    expect(field()).toBeVisible();
    expect(replace).not.toHaveBeenCalled();
  });
});
