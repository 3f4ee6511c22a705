"use client";

import { useState } from "react";
import { CategoryChoice, type Choosing } from "@/components/publishing/category-choice";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";

/** Publishes into a category of the site. */
export function CategoryPopover({
  disabled,
  pending,
  ...choosing
}: Choosing & { disabled: boolean; pending: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger>
        <Button variant="outline" size="sm" disabled={disabled} pending={pending}>
          Publish with Category
        </Button>
      </PopoverTrigger>
      <PopoverContent>
        <CategoryChoice {...choosing} onDone={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}
