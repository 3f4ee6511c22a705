/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { useActionState } from "react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ForgotPasswordPage } from "@/components/account/reset/forgot-password-page";
import { AuthForms, type AuthTab } from "@/components/account/sign-in/auth-forms";
import type { FormState } from "@/lib/transport/form-state";
import { renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn() }) }));
// After the browser has posted a form, the server renders the page with this state from the start.
jest.mock("react", () => ({ ...jest.requireActual("react"), useActionState: jest.fn() }));

function posted(state: FormState) {
  jest.mocked(useActionState).mockReturnValue([state, () => undefined, false]);
}

function open(tab: AuthTab) {
  return renderScreen(
    <AuthProvider user={null}>
      <AuthForms next="/" tab={tab} canReset isGoogleEnabled={false} />
    </AuthProvider>,
  );
}

const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

it("Login is rendered again with the username, the error, and an empty password marked as wrong", async () => {
  posted({ typed: { username: "maren" }, done: false, failure: { error: "Not right.", type: "UNAUTHENTICATED" } });
  const { user } = open("login");
  expect(alerts()[0]).toBe("Login failedNot right.");
  expect(screen.getByLabelText("Username")).toHaveValue("maren");
  expect(screen.getByLabelText("Password")).toHaveValue("");
  expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("That username and password do not match.");

  // The next attempt runs in the browser, which shows its own errors.
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect(alerts()).toEqual(["This field is required."]);
});

it("Register is rendered again with username and e-mail, and an error at each field", () => {
  const fields = { username: ["This username is taken."], email: ["Please enter a valid email address"] };
  const failure = { error: "This username is taken.", type: "DUPLICATE" as const, fields };
  posted({ typed: { username: "maren", email: "nowhere" }, done: false, failure });
  open("register");
  expect(alerts()[0]).toBe("Registration failedThis username is taken.");
  expect(screen.getByLabelText("Username")).toHaveValue("maren");
  expect(screen.getByLabelText("Username")).toHaveAccessibleDescription("This username is taken.");
  expect(screen.getByLabelText("Email")).toHaveValue("nowhere");
  expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(/^Please enter a valid email address/);
  expect(screen.getByLabelText("Password")).toHaveValue("");
});

describe("the 'Forgot password?' page", () => {
  it("shows the failure, and keeps the address", () => {
    const failure = { error: "Too many attempts.", type: "RATE_LIMITED" as const };
    posted({ typed: { email: "maren@example.com" }, done: false, failure });
    renderScreen(<ForgotPasswordPage canReset />);
    expect(alerts()).toEqual(["Password reset failedToo many attempts."]);
    expect(screen.getByLabelText("Email")).toHaveValue("maren@example.com");
  });

  it("says that the mail was sent, and no longer offers the form", () => {
    posted({ typed: {}, done: true, failure: null });
    renderScreen(<ForgotPasswordPage canReset />);
    expect(alerts()[0]).toContain("Password reset email sent");
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });

  it("says that resets are not set up when the server cannot send mail", () => {
    renderScreen(<ForgotPasswordPage canReset={false} />);
    expect(screen.getByText("Password reset by e-mail is not set up on this server.")).toBeVisible();
    expect(screen.queryByLabelText("Email")).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Back to sign in" })).toHaveAttribute("href", "/auth");
  });
});
