import Link from "next/link";
import { EmptyState } from "@/components/shared/empty-state";
import { Button } from "@/components/ui/button";

/** The page of a path that leads nowhere. */
export function NotFoundMessage() {
  return (
    <>
      <h1 className="mb-8 font-medium font-serif text-xl tracking-[-0.011em]">404 Page Not Found</h1>
      <EmptyState
        title="Did you forget to add the page to the router?"
        description="There is no page at this address. It may have been mistyped."
        action={
          <Button asChild variant="outline">
            <Link href="/">Go to Home</Link>
          </Button>
        }
      />
    </>
  );
}
