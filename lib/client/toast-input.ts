export type ToastAction = { label: string } & ({ onClick: () => void } | { href: string; newWindow?: boolean });

export type ToastInput = {
  title: string;
  description?: string | undefined;
  variant?: "default" | "destructive";
  action?: ToastAction;
  durationMs?: number;
  /** Under the description: what to name when asking for help. */
  reference?: string | undefined;
  /** What the outcome is about, such as `piece:<id>`: a newer outcome takes the place of the older one, shown or waiting. */
  subject?: string | undefined;
};
