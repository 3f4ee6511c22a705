export type ToastAction = { label: string } & ({ onClick: () => void } | { href: string; newWindow?: boolean });

export type ToastInput = {
  title: string;
  description?: string | undefined;
  /** Neutral looks like the default without its green check: it is neither a success nor a failure. */
  variant?: "default" | "neutral" | "destructive";
  action?: ToastAction;
  durationMs?: number;
  /** What to quote when asking for help; it stands under the description. */
  reference?: string | undefined;
  /** What the toast is about, such as `piece:<id>`: an error of the past does not come back after a newer toast about it. */
  subject?: string | undefined;
};
