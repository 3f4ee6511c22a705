export type ToastAction = { label: string } & ({ onClick: () => void } | { href: string; newWindow?: boolean });

export type ToastInput = {
  title: string;
  description?: string | undefined;
  variant?: "default" | "destructive";
  action?: ToastAction;
  durationMs?: number;
  /** Under the description: what to quote when asking for help. */
  reference?: string | undefined;
  /** What the toast is about, such as `piece:<id>`: a newer toast replaces the older one, shown or queued. */
  subject?: string | undefined;
};
