/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { AuthProvider, type AuthResult, useAuth } from "@/components/account/auth-provider";
import { registerAction, signInAction } from "@/lib/features/account/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/actions", () => ({
  signInAction: jest.fn(),
  registerAction: jest.fn(),
  signOutAction: jest.fn(),
}));

const typed = { username: "maren.holt", password: "a calm desk for words" };
const refused = {
  ok: false as const,
  error: { error: "That is not right.", type: "UNAUTHENTICATED" as const, status: 401, requestId: "r" },
};

let result: Promise<AuthResult>;

function Probe() {
  const { user, loading, error, login, register } = useAuth();
  return (
    <>
      <p>{`${user?.username ?? "nobody"}, ${loading ? "loading" : "idle"}, ${error ?? "no error"}`}</p>
      <button type="button" onClick={() => (result = login(typed))}>
        in
      </button>
      <button type="button" onClick={() => (result = register(typed))}>
        new
      </button>
    </>
  );
}

function open() {
  return renderScreen(
    <AuthProvider user={null}>
      <Probe />
    </AuthProvider>,
  ).user;
}

it.each([
  ["in", signInAction],
  ["new", registerAction],
])("'%s' loads, and ends with the user", async (name, action) => {
  let answer: () => void = () => undefined;
  jest.mocked(action).mockReturnValue(
    new Promise((resolve) => {
      answer = () => resolve({ ok: true, data: someUser() });
    }),
  );
  const user = open();
  await user.click(screen.getByRole("button", { name }));
  expect(screen.getByText("nobody, loading, no error")).toBeVisible();
  await act(async () => answer());
  expect(await screen.findByText("maren.holt, idle, no error")).toBeVisible();
  await expect(result).resolves.toMatchObject({ user: { username: "maren.holt" }, error: null });
});

it("keeps and returns what went wrong, until the next action begins", async () => {
  jest.mocked(signInAction).mockResolvedValueOnce(refused);
  const user = open();
  await user.click(screen.getByRole("button", { name: "in" }));
  expect(await screen.findByText("nobody, idle, That is not right.")).toBeVisible();
  await expect(result).resolves.toMatchObject({ user: null, error: "That is not right." });

  jest.mocked(signInAction).mockReturnValueOnce(new Promise(() => undefined));
  await user.click(screen.getByRole("button", { name: "in" }));
  expect(screen.getByText("nobody, loading, no error")).toBeVisible();
});
