/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { AuthProvider, type AuthResult, type DoneResult, useAuth } from "@/components/account/auth-provider";
import { requestResetAction } from "@/lib/features/account/reset/actions";
import type { UserOut } from "@/lib/features/account/schema";
import { registerAction, signInAction, signOutAction } from "@/lib/features/account/sign-in/actions";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/sign-in/actions", () => ({
  signInAction: jest.fn(),
  registerAction: jest.fn(),
  signOutAction: jest.fn(),
}));
jest.mock("@/lib/features/account/reset/actions", () => ({ requestResetAction: jest.fn() }));

const typed = { username: "maren.holt", password: "a calm desk for words" };
const refused = {
  ok: false as const,
  error: { error: "That is not right.", type: "UNAUTHENTICATED" as const, status: 401, requestId: "r" },
};

let result: Promise<AuthResult | DoneResult>;

function Probe() {
  const { user, loading, error, login, register, logout, resetPassword } = useAuth();
  return (
    <>
      <p>{`${user?.username ?? "nobody"}, ${loading ? "loading" : "idle"}, ${error ?? "no error"}`}</p>
      <button type="button" onClick={() => (result = login(typed))}>
        in
      </button>
      <button type="button" onClick={() => (result = register(typed))}>
        new
      </button>
      <button type="button" onClick={() => (result = logout())}>
        out
      </button>
      <button type="button" onClick={() => (result = resetPassword("maren@example.com"))}>
        reset
      </button>
    </>
  );
}

function open(initialUser: UserOut | null = null) {
  return renderScreen(
    <AuthProvider user={initialUser}>
      <Probe />
    </AuthProvider>,
  ).user;
}

it.each([
  ["in", signInAction],
  ["new", registerAction],
])("'%s' is loading, then returns the user", async (name, action) => {
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

it("keeps and returns the error until the next action starts", async () => {
  jest.mocked(signInAction).mockResolvedValueOnce(refused);
  const user = open();
  await user.click(screen.getByRole("button", { name: "in" }));
  expect(await screen.findByText("nobody, idle, That is not right.")).toBeVisible();
  await expect(result).resolves.toMatchObject({ user: null, error: "That is not right." });

  jest.mocked(signInAction).mockReturnValueOnce(new Promise(() => undefined));
  await user.click(screen.getByRole("button", { name: "in" }));
  expect(screen.getByText("nobody, loading, no error")).toBeVisible();
});

describe.each([
  ["in", signInAction],
  ["new", registerAction],
  ["out", signOutAction],
  ["reset", requestResetAction],
] as const)("'%s'", (name, action) => {
  const call = jest.mocked(action as (input: never) => Promise<unknown>);
  const press = (user: ReturnType<typeof open>) => user.click(screen.getByRole("button", { name }));

  it("is loading without an error while it runs, then keeps and returns its failure", async () => {
    jest.mocked(signInAction).mockResolvedValueOnce({ ...refused, error: { ...refused.error, error: "Earlier." } });
    const user = open();
    await user.click(screen.getByRole("button", { name: "in" }));
    expect(await screen.findByText("nobody, idle, Earlier.")).toBeVisible();

    let answer: () => void = () => undefined;
    call.mockReturnValueOnce(new Promise((resolve) => (answer = () => resolve(refused))));
    await press(user);
    expect(screen.getByText("nobody, loading, no error")).toBeVisible();
    await act(async () => answer());
    expect(await screen.findByText("nobody, idle, That is not right.")).toBeVisible();
    const outcome = await result;
    expect(outcome).toMatchObject({ error: "That is not right.", failure: { type: "UNAUTHENTICATED", status: 401 } });
    expect("success" in outcome ? outcome.success : outcome.user !== null).toBe(false);
  });

  it("stops loading and has a message when the server does not answer", async () => {
    call.mockRejectedValueOnce(new Error("socket hang up"));
    await press(open());
    expect(await screen.findByText(/^nobody, idle, .*the server did not answer/i)).toBeVisible();
    expect(screen.queryByText(/socket/)).not.toBeInTheDocument();
  });
});

it("'reset' requests a link and reports success, without signing in or out", async () => {
  jest.mocked(requestResetAction).mockResolvedValueOnce({ ok: true, data: { message: "On its way." } });
  const user = open(someUser());
  await user.click(screen.getByRole("button", { name: "reset" }));
  await expect(result).resolves.toEqual({ success: true, error: null, failure: null });
  expect(requestResetAction).toHaveBeenLastCalledWith({ email: "maren@example.com" });
  expect(await screen.findByText("maren.holt, idle, no error")).toBeVisible();
});

it("'out' clears the user and reports success", async () => {
  jest.mocked(signOutAction).mockResolvedValueOnce({ ok: true, data: null });
  const user = open(someUser());
  await user.click(screen.getByRole("button", { name: "out" }));
  await expect(result).resolves.toEqual({ success: true, error: null, failure: null });
  expect(await screen.findByText("nobody, idle, no error")).toBeVisible();
});
