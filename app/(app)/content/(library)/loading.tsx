import { GroupPlaceholders } from "@/components/content/group-placeholders";
import { PageHeader } from "@/components/shared/page-header";
import { Skeleton } from "@/components/ui/skeleton";

/** Head, filters and projects, in the places of what is coming. */
export default function LibraryLoading() {
  return (
    <>
      <PageHeader title="Content Library" />
      <Skeleton className="my-6 h-(--control) rounded-md max-xl:h-20 max-md:my-4 max-md:h-36" />
      <GroupPlaceholders />
    </>
  );
}
