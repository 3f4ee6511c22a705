import { GroupPlaceholders } from "@/components/content/group-placeholders";
import { PageHeader } from "@/components/shared/page-header";
import { Skeleton } from "@/components/ui/skeleton";

/** Header, filters and projects, in their final places. */
export default function LibraryLoading() {
  return (
    <>
      <PageHeader title="Content Library" />
      <Skeleton className="my-6 h-(--control) rounded-md max-xl:h-20 max-md:my-4 max-md:h-36" />
      <GroupPlaceholders />
    </>
  );
}
