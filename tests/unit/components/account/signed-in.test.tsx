/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { SignedIn } from "@/components/account/signed-in";
import { mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

it("shows a spinner while the current user is loading, and then the screen", async () => {
  mockApi({ "GET /api/user": () => ({ json: someUser() }) });
  renderScreen(
    <AuthProvider>
      <SignedIn>
        <p>the screen</p>
      </SignedIn>
    </AuthProvider>,
  );
  expect(screen.getByRole("status")).toHaveTextContent("Loading");
  expect(screen.queryByText("the screen")).not.toBeInTheDocument();
  expect(await screen.findByText("the screen")).toBeVisible();
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});
