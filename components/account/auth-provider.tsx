"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useState } from "react";
import { ApiError, errorText, forgetAnswers, publicActionData } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { registerAction, requestResetAction, signInAction, signOutAction } from "@/lib/features/account/actions";
import type { LoginInput, RegisterInput, UserOut } from "@/lib/features/account/schema";

type Outcome = { error: string | null; failure: ApiError | null };

/** What signing in ended with: the user, or none and what went wrong. */
export type AuthResult = Outcome & { user: UserOut | null };

/** What an action without a user ended with. */
export type DoneResult = Outcome & { success: boolean };

type Auth = {
  user: UserOut | null;
  /** True until it is known who is here, and while an action runs. */
  loading: boolean;
  /** The sentence of the last action that failed. */
  error: string | null;
  login: (input: LoginInput) => Promise<AuthResult>;
  register: (input: RegisterInput) => Promise<AuthResult>;
  logout: () => Promise<DoneResult>;
  /** Asks for a mail with a link to set a new password. */
  resetPassword: (email: string) => Promise<DoneResult>;
};

const AuthContext = createContext<Auth | null>(null);

/** Who is signed in. `user` is what the server found; without it the browser asks, and loading starts true. */
export function AuthProvider({ user: found, children }: { user?: UserOut | null; children: ReactNode }) {
  const client = useQueryClient();
  const { data, isPending } = useQuery<UserOut | null>({ queryKey: keys.user(), initialData: found });
  const [isActing, setActing] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function act<T>(call: () => Promise<T>, fallback: string): Promise<Outcome & { data?: T }> {
    setActing(true);
    setError(null);
    try {
      return { data: await call(), error: null, failure: null };
    } catch (thrown) {
      const sentence = errorText(thrown, fallback);
      setError(sentence);
      return { error: sentence, failure: thrown instanceof ApiError ? thrown : null };
    } finally {
      setActing(false);
    }
  }

  async function enter(call: () => Promise<UserOut>): Promise<AuthResult> {
    const { data: user = null, ...outcome } = await act(call, NO_ANSWER);
    if (user) client.setQueryData(keys.user(), user);
    return { user, ...outcome };
  }

  async function finish(call: () => Promise<unknown>, fallback: string): Promise<DoneResult> {
    const { error, failure } = await act(call, fallback);
    return { success: error === null, error, failure };
  }

  const auth: Auth = {
    user: data ?? null,
    loading: isPending || isActing,
    error,
    login: (input) => enter(() => publicActionData(signInAction(input))),
    register: (input) => enter(() => publicActionData(registerAction(input))),
    logout: () =>
      finish(async () => {
        await publicActionData(signOutAction(undefined));
        forgetAnswers();
        client.setQueryData(keys.user(), null);
      }, "You are still signed in: the server did not answer. Please try again."),
    resetPassword: (email) => finish(() => publicActionData(requestResetAction({ email })), NO_ANSWER),
  };
  return <AuthContext value={auth}>{children}</AuthContext>;
}

const NO_ANSWER = "The server did not answer. Check your connection, then try again.";

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
