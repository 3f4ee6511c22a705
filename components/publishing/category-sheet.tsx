"use client";

import { CategoryChoice, type CategoryChoiceProps } from "@/components/publishing/category-choice";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogHeader, DialogTitle } from "@/components/ui/dialog";

/** The popover's counterpart on phones, where a dialog is a sheet at the bottom. */
export function CategorySheet({
  open,
  onOpenChange,
  ...choice
}: CategoryChoiceProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent aria-describedby={undefined}>
        <DialogHeader>
          <DialogTitle>Publish with Category</DialogTitle>
        </DialogHeader>
        <CategoryChoice {...choice} onDone={() => onOpenChange(false)} />
      </ModalContent>
    </Dialog>
  );
}
