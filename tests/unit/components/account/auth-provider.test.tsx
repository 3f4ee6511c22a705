/** @jest-environment jsdom */
import { render, screen, waitFor } from "@testing-library/react";
import { AuthProvider, useAuth } from "@/components/account/auth-provider";
import { signOutAction } from "@/lib/features/account/sign-in/actions";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/sign-in/actions", () => ({
  signInAction: jest.fn(),
  registerAction: jest.fn(),
  signOutAction: jest.fn(),
}));

function Probe() {
  const { user, loading, error, logout } = useAuth();
  return (
    <>
      <p>{loading ? "loading" : (user?.username ?? "nobody")}</p>
      <p>error: {error ?? "none"}</p>
      <button type="button" onClick={() => logout()}>
        out
      </button>
    </>
  );
}

it("throws outside its provider", () => {
  jest.mocked(console.error).mockImplementation(() => undefined);
  expect(() => render(<Probe />)).toThrow("useAuth must be used within an AuthProvider");
});

it("has the server's user at once, without a request", () => {
  const calls = mockApi({});
  renderScreen(
    <AuthProvider user={someUser()}>
      <Probe />
    </AuthProvider>,
  );
  expect(screen.getByText("maren.holt")).toBeVisible();
  expect(calls).toEqual([]);
});

it("loads the user when the server sent none, and treats a 401 as signed out, not as an error", async () => {
  mockApi({ "GET /api/user": () => ({ status: 401, json: failure("Please sign in.", "UNAUTHENTICATED") }) });
  renderScreen(
    <AuthProvider>
      <Probe />
    </AuthProvider>,
  );
  expect(screen.getByText("loading")).toBeVisible();
  expect(await screen.findByText("nobody")).toBeVisible();
  expect(screen.getByText("error: none")).toBeVisible();
});

it("has no user after signing out, and keeps the user and the error when that fails", async () => {
  const signOut = jest.mocked(signOutAction);
  signOut.mockResolvedValueOnce({
    ok: false,
    error: { error: "The service is not available.", type: "SERVICE_UNAVAILABLE", status: 503, requestId: "r" },
  });
  const { user } = renderScreen(
    <AuthProvider user={someUser()}>
      <Probe />
    </AuthProvider>,
  );
  await user.click(screen.getByRole("button", { name: "out" }));
  expect(await screen.findByText("error: The service is not available.")).toBeVisible();
  expect(screen.getByText("maren.holt")).toBeVisible();

  signOut.mockResolvedValueOnce({ ok: true, data: null });
  await user.click(screen.getByRole("button", { name: "out" }));
  await waitFor(() => expect(screen.getByText("nobody")).toBeVisible());
  expect(screen.getByText("error: none")).toBeVisible();
});
