import Link from "next/link";
import { PageHeader } from "@/components/shared/page-header";
import { Button } from "@/components/ui/button";

export function JobNotFound() {
  return (
    <>
      <PageHeader title="Job not found" description="Its topic was deleted, or the job ended long ago." />
      <Button asChild variant="outline" className="mt-6">
        <Link href="/queue-monitor">Go to the Queue Monitor</Link>
      </Button>
    </>
  );
}
