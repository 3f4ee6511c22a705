import { useMutation } from "@tanstack/react-query";
import { actionData } from "@/lib/client/api";
import { toast, toastUnlessFieldError } from "@/lib/client/toast";
import { linkGoogleAction, unlinkGoogleAction } from "@/lib/features/account/google/actions";
import type { ReauthenticationInput } from "@/lib/features/account/schema";

/** Goes to Google to connect an account. Failures come back in the address of the settings page. */
export function useLinkGoogle() {
  return useMutation({
    mutationFn: (input: ReauthenticationInput) => actionData(linkGoogleAction(input)),
    onSuccess: ({ location }) => window.location.assign(location),
    onError: (error) =>
      toastUnlessFieldError(error, {
        fallback: "Google was not connected: the server did not answer. Please try again.",
        subject: "google",
      }),
  });
}

export function useUnlinkGoogle() {
  return useMutation({
    mutationFn: (input: ReauthenticationInput) => actionData(unlinkGoogleAction(input)),
    onSuccess: () =>
      toast({
        title: "Success",
        description: "Google is disconnected. Sign in with your password from now on.",
        subject: "google",
      }),
    onError: (error) =>
      toastUnlessFieldError(error, {
        fallback: "Google is still connected: the server did not answer. Please try again.",
        subject: "google",
      }),
  });
}
