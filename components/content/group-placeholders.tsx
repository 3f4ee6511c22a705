import { Skeleton } from "@/components/ui/skeleton";

/** The library's loading projects. In a file of its own, because links on every page prefetch the library's loading page. */
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
