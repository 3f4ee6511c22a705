import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ApiError, actionData, api, forgetAnswers, publicActionData, watched } from "@/lib/client/api";
import { downloadZip } from "@/lib/client/download";
import { putAnswer } from "@/lib/client/live";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import {
  confirmResetAction,
  connectGoogleAction,
  disconnectGoogleAction,
  saveSettingsAction,
} from "@/lib/features/account/actions";
import type {
  ChangeAccountInput,
  DeleteAccountInput,
  ProofInput,
  ResetConfirmInput,
  SessionOut,
  SettingsInput,
  UserOut,
} from "@/lib/features/account/schema";

/** Saves key and site; the user in memory follows. Field errors are the form's to show. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SettingsInput) =>
      watched({ method: "PATCH", url: "/api/user/settings" }, () => actionData(saveSettingsAction(input))),
    onSuccess: (user) => {
      putAnswer(client, keys.user(), user);
      client.removeQueries({ queryKey: keys.categories() });
      toast({ title: "Success", description: "Your settings have been updated successfully", subject: "settings" });
    },
    onError: (error) =>
      toastError(error, { fallback: "Your settings could not be saved. Please try again.", subject: "settings" }),
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
      putAnswer(client, keys.user(), user);
      router.refresh();
      toast(success);
    },
  });
}

/** Sets the new password with the token of a mailed link. Field errors, the link's among them, are the form's to show. */
export function useConfirmReset() {
  return useMutation({
    mutationFn: (input: ResetConfirmInput) => publicActionData(confirmResetAction(input)),
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

/** Signs out everywhere else; of the list this session alone stays. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api<void>("DELETE", "/api/user/sessions"),
    onSuccess: () => {
      client.setQueryData<SessionOut[]>(keys.sessions(), (list) => list?.filter(({ current }) => current));
      toast({ title: "Signed out everywhere else", description: "Every other session has ended." });
    },
    onError: (error) =>
      toastError(error, { fallback: "The other sessions may still be open: the server did not answer. Try again." }),
  });
}

const EXPORT = ["export"];

/** Is an export being saved, from whichever button? */
export function useIsExporting(): boolean {
  return useIsMutating({ mutationKey: EXPORT }) > 0;
}

/** Saves everything the person has as a file, or nothing. */
export function useExport() {
  return useMutation({
    mutationKey: EXPORT,
    mutationFn: () => downloadZip("/api/user/export"),
    onSuccess: (name) =>
      toast({ title: "Export saved", description: `${name} is where your browser keeps downloads.` }),
    onError: (error) =>
      toastError(error, {
        title: "Nothing was exported",
        fallback: error instanceof ApiError ? NO_EXPORT : BROKEN_OFF,
      }),
  });
}

const NO_EXPORT = "The export could not be made. Everything you have is still here. Please try again.";
const BROKEN_OFF =
  "The download broke off half way and was not saved. Everything you have is still here. Please try again.";

/** Deletes the account; what is in memory of it goes, and `leave` leads away. Field errors are the form's to show. */
export function useDeleteAccount(leave: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: DeleteAccountInput) => api<void>("DELETE", "/api/user", input),
    onSuccess: () => {
      forgetAnswers();
      client.setQueryData(keys.user(), null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.user()[0] });
      leave();
      const description = "Everything in it is gone. What is on your WordPress site stays there.";
      toast({ title: "Your account was deleted", description });
    },
    onError: (error) => {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) return;
      if (error instanceof ApiError && error.status < 500) {
        return toastError(error, { title: "Your account was not deleted", fallback: NO_ANSWER });
      }
      const description = "The server did not answer. Load this page again to see.";
      toast({ title: "Your account may still be there", description, variant: "destructive" });
    },
  });
}

const NO_ANSWER = "The server did not answer. Check your connection, then try again.";
