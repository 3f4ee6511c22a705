"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useState } from "react";
import { ApiError, actionData, errorText, forgetAnswers } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { registerAction, signInAction, signOutAction } from "@/lib/features/account/actions";
import type { LoginInput, RegisterInput, UserOut } from "@/lib/features/account/schema";

/** What an action ended with: the user now signed in (null after signing out) and what went wrong, if it did. */
export type AuthResult = { user: UserOut | null; error: string | null; failure: ApiError | null };

type Auth = {
  user: UserOut | null;
  /** True until it is known who is here, and while an action runs. */
  loading: boolean;
  /** The sentence of the last action that failed. */
  error: string | null;
  login: (input: LoginInput) => Promise<AuthResult>;
  register: (input: RegisterInput) => Promise<AuthResult>;
  logout: () => Promise<AuthResult>;
};

const AuthContext = createContext<Auth | null>(null);

/** Who is signed in. `user` is what the server found; without it the browser asks, and loading starts true. */
export function AuthProvider({ user: found, children }: { user?: UserOut | null; children: ReactNode }) {
  const client = useQueryClient();
  const { data, isPending } = useQuery<UserOut | null>({ queryKey: keys.user(), initialData: found });
  const [isActing, setActing] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function act(call: () => Promise<UserOut | null>, fallback: string): Promise<AuthResult> {
    setActing(true);
    setError(null);
    try {
      const user = await call();
      client.setQueryData(keys.user(), user);
      return { user, error: null, failure: null };
    } catch (thrown) {
      const sentence = errorText(thrown, fallback);
      setError(sentence);
      return { user: null, error: sentence, failure: thrown instanceof ApiError ? thrown : null };
    } finally {
      setActing(false);
    }
  }

  const auth: Auth = {
    user: data ?? null,
    loading: isPending || isActing,
    error,
    login: (input) =>
      act(() => actionData(signInAction(input)), "The server did not answer. Check your connection, then try again."),
    register: (input) =>
      act(() => actionData(registerAction(input)), "The server did not answer. Check your connection, then try again."),
    logout: () =>
      act(async () => {
        await actionData(signOutAction(undefined));
        forgetAnswers();
        return null;
      }, "You are still signed in: the server did not answer. Please try again."),
  };
  return <AuthContext value={auth}>{children}</AuthContext>;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
