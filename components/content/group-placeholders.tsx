import { Skeleton } from "@/components/ui/skeleton";

/** Projects of the library that are coming. On its own, because every page's links load what the library's loading page needs. */
export function GroupPlaceholders() {
  return (
    <div role="status">
      <span className="sr-only">Content is loading</span>
      {["w-64", "w-80", "w-56"].map((width) => (
        <div key={width} className="flex h-[53px] items-center border-t">
          <Skeleton className={`h-5 max-w-full ${width}`} />
        </div>
      ))}
    </div>
  );
}
