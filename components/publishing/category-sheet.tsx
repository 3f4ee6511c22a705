"use client";

import { CategoryChoice, type Choosing } from "@/components/publishing/category-choice";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "@/components/ui/dialog";

/** The same as the popover, from a row's menu on phones, where a dialog is a sheet at the lower edge. */
export function CategorySheet({
  open,
  onOpenChange,
  ...choosing
}: Choosing & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent aria-describedby={undefined}>
        <DialogHeader>
          <DialogTitle>Publish with Category</DialogTitle>
        </DialogHeader>
        <CategoryChoice {...choosing} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}
