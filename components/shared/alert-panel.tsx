"use client";

import type { ReactNode } from "react";
import { useFocusReturn } from "@/components/shared/focus-return";
import {
  AlertDialog,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";

/** An alert dialog that returns the focus. `children` are its buttons; Radix focuses AlertDialogCancel. */
export function AlertPanel({
  open,
  onOpenChange,
  title,
  description,
  body,
  className,
  footerClassName,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** Shown between the description and the buttons. */
  body?: ReactNode;
  className?: string;
  footerClassName?: string;
  children: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogContent className={className} {...focusReturn}>
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription className="wrap-anywhere">{description}</AlertDialogDescription>
        </AlertDialogHeader>
        {body}
        <AlertDialogFooter className={footerClassName}>{children}</AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
