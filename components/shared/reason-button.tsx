"use client";

import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/utils/cn";

/** A button that may be refused: then it looks disabled, does nothing, and its tooltip says why. */
export function ReasonButton({
  refused,
  onClick,
  className,
  ...props
}: ComponentProps<typeof Button> & { refused?: string | false }) {
  if (!refused) return <Button onClick={onClick} className={className} {...props} />;
  return (
    <Tooltip content={refused}>
      <Button
        aria-disabled
        className={cn(
          "border-transparent bg-muted text-muted-foreground hover:bg-muted hover:text-muted-foreground active:bg-muted",
          props.variant === "ghost" && "bg-transparent hover:bg-transparent active:bg-transparent",
          className,
        )}
        {...props}
      />
    </Tooltip>
  );
}
