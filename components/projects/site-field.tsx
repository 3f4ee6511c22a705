"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "@/components/shared/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { sitesQuery } from "@/lib/features/sites/client";
import { isConnected, siteOfProject } from "@/lib/features/sites/rules";

/**
 * The site of a project, in the form's field `siteId`; nothing where there is no choice. `stored`: what the project has, null while it
 * follows the default site, which is how a new one begins. An unchanged choice of a stored project is not sent.
 */
export function SiteField({
  stored,
  isNew,
  error,
  onChange,
}: {
  stored: string | null;
  isNew: boolean;
  error: string[] | undefined;
  onChange?: ((siteId: string) => void) | undefined;
}) {
  const { data: sites = [] } = useQuery(sitesQuery());
  const [chosen, setChosen] = useState<string>();
  const current = siteOfProject(sites, stored);
  const offered = sites.filter((site) => isConnected(site) || site.id === current?.id);
  if (offered.every(({ id }) => id === current?.id)) return null;
  const value = chosen ?? current?.id ?? "";
  const isChanged = value !== current?.id;

  function choose(siteId: string) {
    setChosen(siteId);
    onChange?.(siteId);
  }

  return (
    <div data-changed={isChanged ? "" : undefined}>
      {value !== "" && (isNew || isChanged) ? <input type="hidden" name="siteId" value={value} /> : null}
      <Field label="Site" error={error} hint="Where its pieces are published.">
        {(control) => (
          <Select value={value} onValueChange={choose}>
            <SelectTrigger {...control} className="w-full">
              <SelectValue placeholder="Choose a site" />
            </SelectTrigger>
            <SelectContent>
              {offered.map((site) => (
                <SelectItem key={site.id} value={site.id} className="wrap-anywhere">
                  <bdi>{site.name}</bdi>
                  {isConnected(site) ? null : " (not connected)"}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
        )}
      </Field>
    </div>
  );
}
