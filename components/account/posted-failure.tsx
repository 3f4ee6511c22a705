import { Alert } from "@/components/ui/alert";
import type { PostedForm } from "@/lib/utils/posted-form";

/** What a notification would tell, in the page: the form was posted without a script. */
export function PostedFailure({ title, posted: { failure } }: { title: string; posted: PostedForm }) {
  if (!failure) return null;
  return (
    <Alert variant="destructive" title={title} live>
      {failure.error}
    </Alert>
  );
}
