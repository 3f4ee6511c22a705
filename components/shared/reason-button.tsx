"use client";

import type { ComponentProps } from "react";
import { Hint } from "@/components/shared/hint";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils/cn";

/** With a `disabledReason` it looks disabled and does nothing, but can be focused, and its tooltip gives the reason. */
export function ReasonButton({
  disabledReason,
  onClick,
  className,
  ...props
}: ComponentProps<typeof Button> & { disabledReason?: string | false }) {
  if (!disabledReason) return <Button onClick={onClick} className={className} {...props} />;
  return (
    <Hint content={disabledReason}>
      <Button
        aria-disabled
        className={cn(
          "border-transparent bg-muted text-muted-foreground hover:bg-muted hover:text-muted-foreground active:bg-muted",
          props.variant === "ghost" && "bg-transparent hover:bg-transparent active:bg-transparent",
          className,
        )}
        {...props}
      />
    </Hint>
  );
}
