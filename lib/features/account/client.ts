import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ApiError, actionData, api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import {
  confirmResetAction,
  connectGoogleAction,
  disconnectGoogleAction,
  requestResetAction,
  saveSettingsAction,
} from "@/lib/features/account/actions";
import type {
  ChangeAccountInput,
  ProofInput,
  ResetConfirmInput,
  ResetInput,
  SettingsInput,
  UserOut,
} from "@/lib/features/account/schema";

/** Saves key and site; the user in memory follows. Field errors are the form's to show. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SettingsInput) => actionData(saveSettingsAction(input)),
    onSuccess: (user) => {
      client.setQueryData(keys.user(), user);
      client.removeQueries({ queryKey: keys.categories() });
      toast({ title: "Success", description: "Your settings have been updated successfully" });
    },
    onError: (error) => toastError(error, { fallback: "Your settings could not be saved. Please try again." }),
  });
}

/**
 * Changes username, e-mail or password. The user in memory follows, and what the server has drawn: its activity, sessions
 * and ways to sign in. What is wrong with a field is the form's to show.
 */
export function useChangeAccount(success: { title: string; description: string }) {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (input: ChangeAccountInput) => api<UserOut>("PATCH", "/api/user", input),
    onSuccess: (user) => {
      client.setQueryData(keys.user(), user);
      router.refresh();
      toast(success);
    },
  });
}

/** Asks for a mail with a link to set a new password. */
export function useRequestReset() {
  return useMutation({
    mutationFn: (input: ResetInput) => actionData(requestResetAction(input)),
    onSuccess: () => {
      const description = "Please check your email for instructions to reset your password.";
      toast({ title: "Password reset email sent", description });
    },
    onError: (error) => toastError(error, { title: "Password reset failed", fallback: NO_ANSWER }),
  });
}

/** Sets the new password with the token of a mailed link. Field errors, the link's among them, are the form's to show. */
export function useConfirmReset() {
  return useMutation({
    mutationFn: (input: ResetConfirmInput) => actionData(confirmResetAction(input)),
    onError: (error) => {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) return;
      toastError(error, { title: "Password reset failed", fallback: NO_ANSWER });
    },
  });
}

/** Leaves for Google to connect an account there; what went wrong comes back in the address of the settings. */
export function useConnectGoogle() {
  return useMutation({
    mutationFn: (input: ProofInput) => actionData(connectGoogleAction(input)),
    onSuccess: ({ location }) => window.location.assign(location),
    onError: (error) =>
      tellUnlessAtField(error, "Google was not connected: the server did not answer. Please try again."),
  });
}

/** Takes Google away as a way to sign in. */
export function useDisconnectGoogle() {
  return useMutation({
    mutationFn: (input: ProofInput) => actionData(disconnectGoogleAction(input)),
    onSuccess: () =>
      toast({ title: "Success", description: "Google is disconnected. Sign in with your password from now on." }),
    onError: (error) =>
      tellUnlessAtField(error, "Google is still connected: the server did not answer. Please try again."),
  });
}

/** What belongs to a field is the form's to show. */
function tellUnlessAtField(error: Error, fallback: string): void {
  if (error instanceof ApiError && Object.keys(error.fields).length > 0) return;
  toastError(error, { fallback });
}

const NO_ANSWER = "The server did not answer. Check your connection, then try again.";
