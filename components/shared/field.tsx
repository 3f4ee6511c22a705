import { CircleAlert } from "lucide-react";
import { Slot } from "radix-ui";
import { type ReactElement, type ReactNode, useId } from "react";
import { Label } from "@/components/ui/label";
import { cn } from "@/lib/utils/cn";

/** Attributes that tie a control to its label, hint and error for screen readers. */
export type ControlProps = { id: string; "aria-invalid"?: true; "aria-describedby"?: string };

type FieldProps = {
  label: ReactNode;
  /** One control, which receives its id and aria attributes; or a function of them if the control is nested deeper. */
  children: ReactElement | ((control: ControlProps) => ReactNode);
  hint?: ReactNode;
  /** If there are several sentences, the first is shown. */
  error?: string | string[];
  /** Shown to the right of the label. */
  action?: ReactNode;
  className?: string;
};

/** A label, its control, and below it the error and the hint. */
export function Field({ label, children, hint, error, action, className }: FieldProps) {
  const id = useId();
  const sentence = Array.isArray(error) ? error[0] : error;
  const described = [sentence && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  const control: ControlProps = {
    id,
    ...(sentence ? { "aria-invalid": true as const } : {}),
    ...(described ? { "aria-describedby": described } : {}),
  };
  return (
    <div className={cn("grid grid-cols-[minmax(0,1fr)] content-start gap-1.5", className)}>
      <div className="flex items-baseline justify-between gap-4">
        <Label htmlFor={id}>{label}</Label>
        {action}
      </div>
      {typeof children === "function" ? children(control) : <Slot.Root {...control}>{children}</Slot.Root>}
      {sentence ? <FieldError id={`${id}-error`}>{sentence}</FieldError> : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-destructive text-sm">
      <CircleAlert aria-hidden="true" className="mt-[3px] size-3.5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}
