/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { AuthForms, type AuthTab } from "@/components/account/sign-in/auth-forms";
import { renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn() }) }));

function open(props: { next?: string; tab?: AuthTab } = {}) {
  return renderScreen(
    <AuthProvider user={null}>
      <AuthForms canReset isGoogleEnabled={false} {...{ next: "/", ...props }} />
    </AuthProvider>,
  );
}

const fields = () =>
  Array.from(
    document.querySelectorAll<HTMLInputElement>("input:not([type=hidden])"),
    ({ labels }) => labels?.[0]?.textContent,
  );

it("has two tabs, and starts on Login with username and password", () => {
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

it("has tabs that are links, which switch in place when scripts run", async () => {
  const { user } = open({ next: "/content?status=draft" });
  const [login, register] = screen.getAllByRole("tab");
  expect(login).toHaveAttribute("href", "/auth?next=%2Fcontent%3Fstatus%3Ddraft");
  expect(register).toHaveAttribute("href", "/auth?tab=register&next=%2Fcontent%3Fstatus%3Ddraft");
  // jsdom would report a navigation as an error.
  await user.click(screen.getByRole("tab", { name: "Register" }));
  await user.keyboard("{Enter} ");
  expect(screen.getByRole("tab", { name: "Register", selected: true })).toBeVisible();
});

it("starts on the tab of the address, and carries the page to return to in each form", async () => {
  const { user } = open({ next: "/settings", tab: "register" });
  expect(fields()).toEqual(["Username", "Email", "Password"]);
  const carried = () => document.querySelector<HTMLInputElement>("form input[name=next]")?.value;
  expect(carried()).toBe("/settings");
  await user.click(screen.getByRole("tab", { name: "Login" }));
  expect(fields()).toEqual(["Username", "Password"]);
  expect(carried()).toBe("/settings");
});
