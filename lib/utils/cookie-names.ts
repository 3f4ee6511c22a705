/**
 * Every cookie that the product reads, without its prefix. No other reaches Next (lib/transport/server/own-cookies.ts),
 * so a cookie that is missing here is never seen.
 */
export const COOKIES = {
  session: "session",
  device: "device",
  googleIntent: "google-intent",
  /** next-auth's `callbackUrl`, under our name. */
  signInNext: "sign-in-next",
  sidebar: "sidebar_state",
  theme: "theme",
  csrf: "next-auth.csrf-token",
  state: "next-auth.state",
  pkce: "next-auth.pkce.code_verifier",
  nonce: "next-auth.nonce",
} as const;

/** `__Host-` forbids a Domain and requires Secure and Path=/; `__Secure-` requires Secure (RFC 6265bis). */
export const PREFIXES = ["", "__Host-", "__Secure-"] as const;

export function hostCookie(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}
