import { type ReactNode, useId } from "react";

/** A section of the settings: title and description on the left, fields on the right. */
export function SettingsGroup({ title, about, children }: { title?: string; about?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className="grid grid-cols-[304px_minmax(0,1fr)] gap-x-12 gap-y-4 border-t py-8 max-xl:grid-cols-[240px_minmax(0,1fr)] max-xl:gap-x-8 max-md:grid-cols-1 max-md:py-6 max-md:tall:has-[.page-bar]:contents"
    >
      <div className={title ? undefined : "max-md:hidden"}>
        {title ? (
          <h3 id={id} className="font-medium">
            {title}
          </h3>
        ) : null}
        {about ? <p className="mt-1 max-w-[40ch] text-muted-foreground">{about}</p> : null}
      </div>
      <div className="grid max-w-[520px] content-start gap-5 max-md:tall:has-[.page-bar]:contents">{children}</div>
    </section>
  );
}
