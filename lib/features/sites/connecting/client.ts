import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { ConnectInput, ConnectOut } from "@/lib/features/sites/connecting/schema";

/** Asks where the user of a site approves the connection. Going there is left to the screen, which shows errors too. */
export function useConnectSite() {
  return useMutation({
    mutationFn: (input: ConnectInput) => api<ConnectOut>("POST", "/api/wordpress/connect", input),
  });
}

export type ConnectSite = ReturnType<typeof useConnectSite>;
