import Link from "next/link";
import { MessagePage } from "@/components/shared/message-page";
import { Button } from "@/components/ui/button";

/** The page for an unknown path. */
export function NotFoundMessage() {
  return (
    <MessagePage
      heading="404 Page Not Found"
      title="Did you forget to add the page to the router?"
      description="There is no page at this address. It may have been mistyped."
      action={
        <Button asChild variant="outline">
          <Link href="/">Go to Home</Link>
        </Button>
      }
    />
  );
}
