export type ToastAction = { label: string } & ({ onClick: () => void } | { href: string; newWindow?: boolean });

export type ToastInput = {
  title: string;
  description?: string | undefined;
  variant?: "default" | "destructive";
  action?: ToastAction;
  durationMs?: number;
  /** What to quote when asking for help; it stands under the description. */
  reference?: string | undefined;
  /** What the toast is about, such as `piece:<id>`: a newer toast replaces the older one, shown or queued. */
  subject?: string | undefined;
};
