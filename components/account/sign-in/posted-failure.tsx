import { Notice } from "@/components/shared/notice";
import type { FormState } from "@/lib/transport/form-state";

/** The failure of a form posted without scripts, in place of a toast. */
export function PostedFailure({ title, posted: { failure } }: { title: string; posted: FormState }) {
  if (!failure) return null;
  return (
    <Notice variant="destructive" title={title} live>
      {failure.error}
    </Notice>
  );
}
