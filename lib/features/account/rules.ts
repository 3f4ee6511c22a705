/** Long enough for a passphrase, short enough to hash cheaply. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

export const CONFIRM_DELETION = "Type your username exactly as it is written to delete the account.";
export const NEEDS_PASSWORD = "Enter your current password.";
