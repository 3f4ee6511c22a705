import { Paper } from "@/components/content/paper";
import { Skeleton } from "@/components/ui/skeleton";

/** The loading editor, in its final sizes. */
export function EditorPlaceholder() {
  return (
    <div role="status">
      <span className="sr-only">Loading the content</span>
      <div className="flex items-center justify-between gap-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-(--control) w-80 rounded-md max-md:w-32" />
      </div>
      <div className="mt-4 h-10 border-b max-md:-mx-4 max-md:h-11" />
      <div className="mt-6 grid items-start gap-x-8 gap-y-6 max-md:mt-0 xl:grid-cols-[minmax(0,1fr)_272px]">
        <Paper foot={<div className="h-11 border-t" />}>
          <Skeleton className="mb-6 h-10 w-4/5 max-md:mb-4 max-md:h-8" />
          <div className="grid min-h-[400px] content-start gap-3.5">
            {["w-full", "w-11/12", "w-4/5"].map((width) => (
              <Skeleton key={width} className={`h-4 ${width}`} />
            ))}
          </div>
        </Paper>
        <div className="grid gap-6">
          <Skeleton className="h-16 rounded-md" />
          <Skeleton className="h-36 rounded-md" />
        </div>
      </div>
    </div>
  );
}
