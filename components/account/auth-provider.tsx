"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useState } from "react";
import { ApiError, clearApiState, errorText, NO_ANSWER, publicActionData } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { requestResetAction } from "@/lib/features/account/reset/actions";
import type { UserOut } from "@/lib/features/account/schema";
import { registerAction, signInAction, signOutAction } from "@/lib/features/account/sign-in/actions";
import type { LoginInput, RegisterInput } from "@/lib/features/account/sign-in/schema";

type SignInOutcome = { error: string | null; failure: ApiError | null };

/** The result of signing in or registering. */
export type AuthResult = SignInOutcome & { user: UserOut | null };

/** The result of any other action. */
export type DoneResult = SignInOutcome & { success: boolean };

type Auth = {
  user: UserOut | null;
  /** True until the user is known, and while an action runs. */
  loading: boolean;
  /** The message of the last failed action. */
  error: string | null;
  login: (input: LoginInput) => Promise<AuthResult>;
  register: (input: RegisterInput) => Promise<AuthResult>;
  logout: () => Promise<DoneResult>;
  /** Requests a mail with a reset link. */
  resetPassword: (email: string) => Promise<DoneResult>;
};

const AuthContext = createContext<Auth | null>(null);

/** Provides the signed-in user. Without `user`, as the server found it, the browser asks for it, and loading starts true. */
export function AuthProvider({ user: initialUser, children }: { user?: UserOut | null; children: ReactNode }) {
  const client = useQueryClient();
  const { data, isPending } = useQuery<UserOut | null>({ queryKey: keys.user(), initialData: initialUser });
  const [isActing, setActing] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function run<T>(call: () => Promise<T>, fallback: string): Promise<SignInOutcome & { data?: T }> {
    setActing(true);
    setError(null);
    try {
      return { data: await call(), error: null, failure: null };
    } catch (cause) {
      const message = errorText(cause, fallback);
      setError(message);
      return { error: message, failure: cause instanceof ApiError ? cause : null };
    } finally {
      setActing(false);
    }
  }

  async function signInWith(call: () => Promise<UserOut>): Promise<AuthResult> {
    const { data: user = null, ...outcome } = await run(call, NO_ANSWER);
    if (user) client.setQueryData(keys.user(), user);
    return { user, ...outcome };
  }

  async function runWithoutUser(call: () => Promise<unknown>, fallback: string): Promise<DoneResult> {
    const { error, failure } = await run(call, fallback);
    return { success: error === null, error, failure };
  }

  const auth: Auth = {
    user: data ?? null,
    loading: isPending || isActing,
    error,
    login: (input) => signInWith(() => publicActionData(signInAction(input))),
    register: (input) => signInWith(() => publicActionData(registerAction(input))),
    logout: () =>
      runWithoutUser(async () => {
        await publicActionData(signOutAction(undefined));
        clearApiState();
        client.setQueryData(keys.user(), null);
      }, "You are still signed in: the server did not answer. Please try again."),
    resetPassword: (email) => runWithoutUser(() => publicActionData(requestResetAction({ email })), NO_ANSWER),
  };
  return <AuthContext value={auth}>{children}</AuthContext>;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
