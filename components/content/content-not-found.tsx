import Link from "next/link";
import { PageHeader } from "@/components/shared/page-header";
import { Button } from "@/components/ui/button";

export function ContentNotFound() {
  return (
    <>
      <PageHeader
        title="Content not found"
        description="The content you're looking for doesn't exist or has been deleted."
      />
      <Button asChild variant="outline" className="mt-6">
        <Link href="/content">Go to Content</Link>
      </Button>
    </>
  );
}
