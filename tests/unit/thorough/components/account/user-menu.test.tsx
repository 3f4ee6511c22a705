/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { UserMenu } from "@/components/account/user-menu";
import { signOutAction } from "@/lib/features/account/sign-in/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const replace = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));
jest.mock("@/lib/features/account/sign-in/actions", () => ({ signOutAction: jest.fn() }));

async function openMenu() {
  const { user } = renderScreen(
    <AuthProvider user={someUser()}>
      <UserMenu />
    </AuthProvider>,
  );
  await user.click(screen.getByRole("button", { name: "Account of maren.holt" }));
  return user;
}

it("applies a theme at once, and remembers it for the server's next first paint", async () => {
  const user = await openMenu();
  expect(screen.getByRole("menuitemradio", { name: "System" })).toBeChecked();
  await user.click(screen.getByRole("menuitemradio", { name: "Dark" }));
  expect(document.documentElement).toHaveClass("dark");
  expect(document.cookie).toContain("theme=dark");
  await user.click(screen.getByRole("menuitemradio", { name: "System" }));
  expect(document.documentElement).not.toHaveClass("dark");
  expect(document.cookie).toContain("theme=system");
});

it("signs out and goes to the sign-in page", async () => {
  jest.mocked(signOutAction).mockResolvedValue({ ok: true, data: null });
  const user = await openMenu();
  await user.click(screen.getByRole("menuitem", { name: "Logout" }));
  await waitFor(() => expect(replace).toHaveBeenCalledWith("/auth"));
});

it("stays on the page and says 'Logout failed' when the server refuses", async () => {
  replace.mockReset();
  const error = { error: "Not available.", type: "SERVICE_UNAVAILABLE" as const, status: 503, requestId: "r" };
  jest.mocked(signOutAction).mockResolvedValue({ ok: false, error });
  const user = await openMenu();
  await user.click(screen.getByRole("menuitem", { name: "Logout" }));
  expect(await screen.findByText("Logout failed")).toBeVisible();
  expect(screen.getByText("Not available.")).toBeVisible();
  expect(replace).not.toHaveBeenCalled();
});
