import { ProjectPlaceholders } from "@/components/projects/project-card";
import { Skeleton } from "@/components/ui/skeleton";

/** Header and three pulsing cards. */
export default function HomeLoading() {
  return (
    <>
      <Skeleton className="h-10 w-64 max-w-full max-md:h-8" />
      <div className="mt-10 mb-4 flex min-h-(--control) items-center max-md:mt-6">
        <span role="status" className="font-medium text-md">
          Your Projects
          <span className="sr-only"> are loading</span>
        </span>
      </div>
      <ProjectPlaceholders />
    </>
  );
}
