/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { AuthForms } from "@/components/account/auth-forms";
import { AuthProvider } from "@/components/account/auth-provider";
import { renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn() }) }));
jest.mock("@/lib/features/account/actions", () => ({}));

function open() {
  return renderScreen(
    <AuthProvider user={null}>
      <AuthForms next="/" canReset isGoogleOn={false} />
    </AuthProvider>,
  );
}

const fields = () => Array.from(document.querySelectorAll("input"), ({ labels }) => labels?.[0]?.textContent);

it("has two tabs, and begins on Login with username and password", () => {
  open();
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(["Login", "Register"]);
  expect(screen.getByRole("tab", { name: "Login", selected: true })).toBeVisible();
  expect(fields()).toEqual(["Username", "Password"]);
  expect(screen.getByRole("button", { name: "Forgot password?" })).toBeVisible();
  expect(screen.getByRole("button", { name: "continue with Google" })).toBeVisible();
});

it("asks on Register for username, email and password, with the same Google button", async () => {
  const { user } = open();
  await user.click(screen.getByRole("tab", { name: "Register" }));
  expect(fields()).toEqual(["Username", "Email", "Password"]);
  expect(screen.getByRole("button", { name: "continue with Google" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Forgot password?" })).not.toBeInTheDocument();
});
