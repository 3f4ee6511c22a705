"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { SiteDialog } from "@/components/account/settings/sites/site-dialog";
import { SiteRow } from "@/components/account/settings/sites/site-row";
import { ErrorState } from "@/components/shared/error-state";
import { dialogTriggerProps } from "@/components/shared/lazy-dialog";
import { ReasonButton } from "@/components/shared/reason-button";
import { textLink } from "@/components/shared/text-link";
import { Spinner } from "@/components/ui/spinner";
import { sitesQuery } from "@/lib/features/sites/client";
import { MAX_SITES } from "@/lib/features/sites/rules";
import type { SiteOut } from "@/lib/features/sites/schema";

/** All sites of the user; nothing while there is none: the form above adds the first one. */
export function Sites() {
  const { data: sites, error, isFetching, refetch } = useQuery(sitesQuery());
  if (sites?.length === 0) return null;
  return (
    <SettingsGroup
      title="Sites"
      about="A project is published to one of these. The default site is the one above; projects that have no posts yet follow it."
    >
      {sites ? (
        <SiteList sites={sites} />
      ) : error ? (
        <ErrorState title="Failed to fetch sites" error={error} pending={isFetching} onRetry={() => refetch()} />
      ) : (
        <Spinner label="Loading the sites" className="size-6" />
      )}
    </SettingsGroup>
  );
}

function SiteList({ sites }: { sites: SiteOut[] }) {
  const [isAdding, setAdding] = useState(false);
  const isFull = sites.filter(({ url }) => url !== null).length >= MAX_SITES;
  return (
    <>
      <ul aria-label="Sites" className="grid min-w-0">
        {sites.map((site) => (
          <SiteRow key={site.id} site={site} />
        ))}
      </ul>
      <div>
        <ReasonButton
          variant="outline"
          disabledReason={isFull && `You have ${MAX_SITES} sites, the maximum.`}
          {...dialogTriggerProps(isAdding, () => setAdding(true))}
        >
          <Plus aria-hidden="true" />
          Add site
        </ReasonButton>
      </div>
      <SiteDialog site={null} open={isAdding} onOpenChange={setAdding} />
      <FieldsPlugin />
    </>
  );
}

/** What lets publishing write the fields of SEO plugins. */
function FieldsPlugin() {
  return (
    <p id="fields-plugin" className="text-muted-foreground text-sm">
      Publishing sends the SEO title, meta description and focus keyword to SEOPress, and to Yoast SEO, Rank Math or The
      SEO Framework if your site has our plugin: put the file into wp-content/plugins, or into a zip file that you
      upload under Plugins, and activate it.{" "}
      <a href="/wordpress/content-planner-fields.php" download className={textLink}>
        Download the plugin
      </a>
    </p>
  );
}
