/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ResetPasswordForm } from "@/components/account/reset-password-form";
import { confirmResetAction } from "@/lib/features/account/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/actions", () => ({ confirmResetAction: jest.fn(), requestResetAction: jest.fn() }));
const confirm = jest.mocked(confirmResetAction);

const replace = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));

const TOKEN = "t".repeat(43);
const DEAD = "This link is no longer good. Please request a new link.";

beforeEach(() => {
  confirm.mockReset();
  replace.mockReset();
  openLink(`#token=${TOKEN}`);
});

type Opened = { canReset: boolean; user: ReturnType<typeof someUser> | null; next: string };

/** Without an event: jsdom would send it later, into another test. */
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

it("sends the new password with the token of the link, and leads to the login", async () => {
  confirm.mockResolvedValue({ ok: true, data: { message: "Your password was changed." } });
  const { user } = open();
  await user.type(field(), "a wholly other long phrase");
  await user.click(submit());
  expect(await screen.findByText("Your password was changed.")).toBeVisible();
  expect(confirm).toHaveBeenCalledWith({ token: TOKEN, password: "a wholly other long phrase" });
  expect(screen.getByRole("link", { name: "Go to Login" })).toHaveAttribute("href", "/auth");
  expect(screen.queryByLabelText("New password")).not.toBeInTheDocument();
});

it("says at the field what is wrong with the password, before and after it is sent", async () => {
  confirm.mockResolvedValue(refusal({ password: ["This password is one of the most common ones."] }));
  const { user } = open();
  await user.type(field(), "short");
  await user.click(submit());
  expect(field()).toHaveAccessibleDescription("Use at least 8 characters.");
  expect(confirm).not.toHaveBeenCalled();
  await user.type(field(), "password123");
  await user.click(submit());
  await waitFor(() => expect(field()).toHaveAccessibleDescription("This password is one of the most common ones."));
  await waitFor(() => expect(field()).toHaveFocus());
});

it("shows what is typed on demand", async () => {
  const { user } = open();
  const show = screen.getByRole("button", { name: "Show password" });
  expect(field()).toHaveAttribute("type", "password");
  await user.click(show);
  expect(field()).toHaveAttribute("type", "text");
  expect(show).toHaveAttribute("aria-pressed", "true");
});

it("offers a new link when this one is no longer good, and begins anew with another", async () => {
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

it("tells as 'Password reset failed' what has nothing to do with the form", async () => {
  const error = { error: "Too many attempts.", type: "RATE_LIMITED" as const, status: 429, requestId: "r" };
  confirm.mockResolvedValue({ ok: false, error });
  const { user } = open();
  await user.type(field(), "a wholly other long phrase");
  await user.click(submit());
  expect(await screen.findByText("Password reset failed")).toBeVisible();
  expect(field()).toHaveValue("a wholly other long phrase");
});

it("says so when the link is not complete", () => {
  openLink("#");
  open();
  expect(screen.getByRole("alert")).toHaveTextContent("This link is not complete.");
  expect(screen.queryByLabelText("New password")).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Back to sign in" })).toHaveAttribute("href", "/auth");
});

describe("a person who is signed in", () => {
  const user = someUser();

  it("is sent home from a page without a token, or to where they were going", async () => {
    openLink("#");
    open({ user }).unmount();
    expect(replace.mock.calls).toEqual([["/"]]);
    open({ user, next: "/settings" });
    expect(replace.mock.calls.at(-1)).toEqual(["/settings"]);
    expect(screen.queryByText(/not complete/)).toBeNull();
  });

  it("stays with a token: the link may be of another account, or of this one", async () => {
    open({ user });
    expect(field()).toBeVisible();
    expect(replace).not.toHaveBeenCalled();
  });
});
