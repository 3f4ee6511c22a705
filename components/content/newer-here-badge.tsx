import { CloudUpload } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { ContentSummary } from "@/lib/features/content/schema";

/** Says that a live piece has another text here than was sent to its site; nothing of the others. */
export function NewerHereBadge({ piece: { isNewerHere } }: { piece: Pick<ContentSummary, "isNewerHere"> }) {
  if (!isNewerHere) return null;
  return (
    <Badge variant="warning" title="Your text here is newer than the post on your site.">
      <CloudUpload aria-hidden="true" strokeWidth={2} />
      Newer here
    </Badge>
  );
}
