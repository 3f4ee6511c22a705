import { useId } from "react";
import { Button } from "@/components/ui/button";

/** Sign-in with Google, shown with the reason why it cannot be used here. */
export function GoogleButton() {
  const reason = useId();
  return (
    <div className="grid gap-5">
      <div
        aria-hidden="true"
        className="flex items-center gap-3 text-muted-foreground text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border"
      >
        or
      </div>
      <div className="grid gap-1.5">
        <Button variant="outline" disabled aria-describedby={reason} className="w-full">
          <span className="inline-block first-letter:uppercase">continue with Google</span>
        </Button>
        <p id={reason} className="text-muted-foreground text-sm">
          Google sign-in is not set up on this server.
        </p>
      </div>
    </div>
  );
}
