/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { AuthProvider, type AuthResult, type DoneResult, useAuth } from "@/components/account/auth-provider";
import { registerAction, requestResetAction, signInAction, signOutAction } from "@/lib/features/account/actions";
import type { UserOut } from "@/lib/features/account/schema";
import { renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/actions", () => ({
  signInAction: jest.fn(),
  registerAction: jest.fn(),
  signOutAction: jest.fn(),
  requestResetAction: jest.fn(),
}));

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

function open(here: UserOut | null = null) {
  return renderScreen(
    <AuthProvider user={here}>
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

describe.each([
  ["in", signInAction],
  ["new", registerAction],
  ["out", signOutAction],
  ["reset", requestResetAction],
] as const)("'%s'", (name, action) => {
  const call = jest.mocked(action as (input: never) => Promise<unknown>);
  const press = (user: ReturnType<typeof open>) => user.click(screen.getByRole("button", { name }));

  it("loads and clears the error while it runs, and keeps and returns what went wrong", async () => {
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
    const told = await result;
    expect(told).toMatchObject({ error: "That is not right.", failure: { type: "UNAUTHENTICATED", status: 401 } });
    expect("success" in told ? told.success : told.user !== null).toBe(false);
  });

  it("ends loading and has a sentence when nothing answers at all", async () => {
    call.mockRejectedValueOnce(new Error("socket hang up"));
    await press(open());
    expect(await screen.findByText(/^nobody, idle, .*the server did not answer/i)).toBeVisible();
    expect(screen.queryByText(/socket/)).not.toBeInTheDocument();
  });
});

it("'reset' asks for a link and tells its success; it neither signs in nor out", async () => {
  jest.mocked(requestResetAction).mockResolvedValueOnce({ ok: true, data: { message: "On its way." } });
  const user = open(someUser());
  await user.click(screen.getByRole("button", { name: "reset" }));
  await expect(result).resolves.toEqual({ success: true, error: null, failure: null });
  expect(requestResetAction).toHaveBeenLastCalledWith({ email: "maren@example.com" });
  expect(await screen.findByText("maren.holt, idle, no error")).toBeVisible();
});

it("'out' leaves nobody and tells its success", async () => {
  jest.mocked(signOutAction).mockResolvedValueOnce({ ok: true, data: null });
  const user = open(someUser());
  await user.click(screen.getByRole("button", { name: "out" }));
  await expect(result).resolves.toEqual({ success: true, error: null, failure: null });
  expect(await screen.findByText("nobody, idle, no error")).toBeVisible();
});
