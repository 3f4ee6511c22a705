/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { Greeting } from "@/components/account/greeting";
import { readTab, writeTab } from "@/lib/client/tab-storage";
import { toast } from "@/lib/client/toast";
import { signOutAction } from "@/lib/features/account/sign-in/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const replace = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));
jest.mock("@/lib/features/account/sign-in/actions", () => ({ signOutAction: jest.fn() }));

function open() {
  return renderScreen(
    <AuthProvider user={someUser()}>
      <Greeting />
    </AuthProvider>,
  );
}

it("welcomes by username", () => {
  open();
  expect(screen.getByRole("heading", { name: "Welcome, maren.holt" })).toBeVisible();
});

it("shows that Logout is pending, then goes to the sign-in page", async () => {
  let end: () => void = () => undefined;
  jest.mocked(signOutAction).mockReturnValue(
    new Promise((resolve) => {
      end = () => resolve({ ok: true, data: null });
    }),
  );
  const { user } = open();
  const logout = screen.getByRole("button", { name: "Logout" });
  expect(logout).not.toHaveAttribute("aria-busy", "true");
  await user.click(logout);
  expect(logout).toHaveAttribute("aria-busy", "true");
  expect(logout.querySelector(".animate-spinner")).toBeInTheDocument();
  await act(async () => end());
  await waitFor(() => expect(replace).toHaveBeenCalledWith("/auth"));
});

it("drops the notification, and what the tab remembers, on logout", async () => {
  jest.mocked(signOutAction).mockResolvedValue({ ok: true, data: null });
  const { user } = open();
  writeTab("tab:maren:screen:/content:open", "[]");
  act(() => toast({ title: "Success", description: "Project created successfully" }));
  const shown = await screen.findByText("Project created successfully");
  await user.click(screen.getByRole("button", { name: "Logout" }));
  await waitFor(() => expect(shown).not.toBeInTheDocument());
  expect(readTab("tab:maren:screen:/content:open")).toBeNull();
});
