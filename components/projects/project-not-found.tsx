import Link from "next/link";
import { EmptyState } from "@/components/shared/empty-state";
import { Button } from "@/components/ui/button";

/** A project that is not there, or is no longer. */
export function ProjectNotFound() {
  return (
    <>
      <h1 className="mb-8 font-medium font-serif text-xl tracking-[-0.011em]">Project not found</h1>
      <EmptyState
        title="This project does not exist or has been deleted."
        action={
          <Button asChild variant="outline">
            <Link href="/">Back to Projects</Link>
          </Button>
        }
      />
    </>
  );
}
