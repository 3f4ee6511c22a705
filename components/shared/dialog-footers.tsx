import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { DialogClose, DialogFooter } from "@/components/ui/dialog";

/** The footer of a form in a dialog: Cancel and a submit button, which takes the props. */
export function DialogFormFooter(submit: ComponentProps<typeof Button>) {
  return (
    <DialogFooter>
      <DialogClose asChild>
        <Button variant="ghost">Cancel</Button>
      </DialogClose>
      <Button type="submit" {...submit} />
    </DialogFooter>
  );
}

/** The footer of a dialog that only informs. */
export function DialogCloseFooter() {
  return (
    <DialogFooter>
      <DialogClose asChild>
        <Button variant="outline">Close</Button>
      </DialogClose>
    </DialogFooter>
  );
}
