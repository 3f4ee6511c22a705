/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { useActionState } from "react";
import { AuthForms, type AuthTab } from "@/components/account/auth-forms";
import { AuthProvider } from "@/components/account/auth-provider";
import { ForgotPasswordPage } from "@/components/account/forgot-password-page";
import type { PostedForm } from "@/lib/utils/posted-form";
import { renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn() }) }));
jest.mock("@/lib/features/account/actions", () => ({}));
// What the server draws a page with after the browser has posted its form: the state stands there from the start.
jest.mock("react", () => ({ ...jest.requireActual("react"), useActionState: jest.fn() }));

function posted(state: PostedForm) {
  jest.mocked(useActionState).mockReturnValue([state, () => undefined, false]);
}

function open(tab: AuthTab) {
  return renderScreen(
    <AuthProvider user={null}>
      <AuthForms next="/" tab={tab} canReset isGoogleOn={false} />
    </AuthProvider>,
  );
}

const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

it("Login is drawn anew with the name, the sentence and the mark at the password, which is empty", async () => {
  posted({ typed: { username: "maren" }, done: false, failure: { error: "Not right.", type: "UNAUTHENTICATED" } });
  const { user } = open("login");
  expect(alerts()[0]).toBe("Login failedNot right.");
  expect(screen.getByLabelText("Username")).toHaveValue("maren");
  expect(screen.getByLabelText("Password")).toHaveValue("");
  expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("That username and password do not match.");

  // The next attempt is the script's own, and says what is wrong itself.
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect(alerts()).toEqual(["This field is required."]);
});

it("Register is drawn anew with name and e-mail, and a sentence at each field", () => {
  const fields = { username: ["This username is taken."], email: ["Please enter a valid email address"] };
  const failure = { error: "This username is taken.", type: "DUPLICATE" as const, fields };
  posted({ typed: { username: "maren", email: "nowhere" }, done: false, failure });
  open("register");
  expect(alerts()[0]).toBe("Registration failedThis username is taken.");
  expect(screen.getByLabelText("Username")).toHaveValue("maren");
  expect(screen.getByLabelText("Username")).toHaveAccessibleDescription("This username is taken.");
  expect(screen.getByLabelText("Email")).toHaveValue("nowhere");
  expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Please enter a valid email address");
  expect(screen.getByLabelText("Password")).toHaveValue("");
});

describe("the page of 'Forgot password?'", () => {
  it("tells what is wrong with the address, and keeps it", () => {
    const failure = { error: "Too many attempts.", type: "RATE_LIMITED" as const };
    posted({ typed: { email: "maren@example.com" }, done: false, failure });
    renderScreen(<ForgotPasswordPage canReset />);
    expect(alerts()).toEqual(["Password reset failedToo many attempts."]);
    expect(screen.getByLabelText("Email")).toHaveValue("maren@example.com");
  });

  it("tells that the mail is sent, and offers no second form", () => {
    posted({ typed: {}, done: true, failure: null });
    renderScreen(<ForgotPasswordPage canReset />);
    expect(alerts()[0]).toContain("Password reset email sent");
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });

  it("says plainly where no mail is sent from", () => {
    renderScreen(<ForgotPasswordPage canReset={false} />);
    expect(screen.getByText("Password reset by e-mail is not set up on this server.")).toBeVisible();
    expect(screen.queryByLabelText("Email")).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Back to sign in" })).toHaveAttribute("href", "/auth");
  });
});
