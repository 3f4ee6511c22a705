import Link from "next/link";
import { MessagePage } from "@/components/shared/message-page";
import { Button } from "@/components/ui/button";

export function ProjectNotFound() {
  return (
    <MessagePage
      heading="Project not found"
      title="This project does not exist or has been deleted."
      action={
        <Button asChild variant="outline">
          <Link href="/">Back to Projects</Link>
        </Button>
      }
    />
  );
}
