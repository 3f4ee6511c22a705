"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useId, useMemo, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { useProjectSearch } from "@/components/projects/use-project-search";
import { CredentialsNotice, hasCredentials } from "@/components/publishing/credentials-notice";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import { PageHeader } from "@/components/shared/page-header";
import { textLink } from "@/components/shared/text-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { projectsQuery } from "@/lib/features/projects/client";
import { PROJECT_SEARCH_MAX } from "@/lib/features/projects/rules";
import type { ListedProject } from "@/lib/features/projects/schema";
import { publishingCountsQuery } from "@/lib/features/publishing/client";
import type { PublishingCounts } from "@/lib/features/publishing/schema";
import { sitesQuery } from "@/lib/features/sites/client";
import { hasOtherSites, hostOf, isConnected, siteOfProject } from "@/lib/features/sites/rules";
import type { SiteOut } from "@/lib/features/sites/schema";
import { descriptionStart } from "@/lib/utils/text";

/** Lists the projects to choose one for publishing. */
export function ProjectPicker() {
  const { user } = useAuth();
  const { data: sites = [] } = useQuery(sitesQuery());
  const isGrouped = hasOtherSites(sites);
  const mayPublish = hasCredentials(user) || sites.some(isConnected);
  const site = mayPublish && !isGrouped ? (sites[0]?.name ?? hostOf(user?.wordpressUrl)) : null;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={
          <>
            WordPress Publishing
            {site ? (
              <span className="text-muted-foreground">
                {" "}
                to <bdi>{site}</bdi>
              </span>
            ) : null}
          </>
        }
        description="Choose the project whose content you want to publish."
      />
      {mayPublish ? <Projects /> : <CredentialsNotice />}
    </div>
  );
}

function Projects() {
  const { data, error, isFetching, refetch } = useQuery(projectsQuery());
  const [search, setSearch] = useState("");
  if (error && !data) {
    return <ErrorState title="Failed to fetch projects" error={error} pending={isFetching} onRetry={() => refetch()} />;
  }
  if (!data) return <Skeleton className="h-60" />;
  return (
    <>
      <Input
        type="search"
        aria-label="Search projects"
        placeholder="Search projects..."
        maxLength={PROJECT_SEARCH_MAX}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        className="max-w-md"
      />
      <Found projects={data} search={search} />
    </>
  );
}

function Found({ projects, search }: { projects: ListedProject[]; search: string }) {
  const found = useProjectSearch(search, projects);
  return (
    <>
      {found.projects.length > 0 ? <BySite projects={found.projects} /> : null}
      {found.error ? (
        <ErrorState
          title="The search did not finish"
          error={found.error}
          pending={found.isRetrying}
          onRetry={found.retry}
        />
      ) : found.isSearching ? (
        <Spinner label="Searching the descriptions" className="size-5" />
      ) : found.projects.length === 0 ? (
        <NoProjects isSearch={projects.length > 0} />
      ) : null}
    </>
  );
}

/** One table, or a table for each of several sites. */
function BySite({ projects }: { projects: ListedProject[] }) {
  const { data: sites = [] } = useQuery(sitesQuery());
  if (!hasOtherSites(sites)) return <ProjectTable projects={projects} />;
  const siteOf = (project: ListedProject) => siteOfProject(sites, project.siteId)?.id;
  const others = projects.filter((project) => siteOf(project) === undefined);
  return (
    <>
      {sites.map((site) => {
        const onSite = projects.filter((project) => siteOf(project) === site.id);
        return onSite.length > 0 ? <SiteGroup key={site.id} site={site} projects={onSite} /> : null;
      })}
      {/* On a default site that is not connected, or newer than the list of sites. */}
      {others.length > 0 ? <ProjectTable projects={others} /> : null}
    </>
  );
}

function SiteGroup({ site, projects }: { site: SiteOut; projects: ListedProject[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={id} className="wrap-anywhere font-medium text-md">
          <bdi>{site.name}</bdi>
        </h2>
        {site.isDefault ? <Badge variant="plain">Default</Badge> : null}
        {isConnected(site) ? null : (
          <>
            <Badge variant="warning">Not connected</Badge>
            <Link href="/settings" className={textLink}>
              Go to Settings
            </Link>
          </>
        )}
      </div>
      <ProjectTable projects={projects} />
    </section>
  );
}

function ProjectTable({ projects }: { projects: ListedProject[] }) {
  const { data } = useQuery(publishingCountsQuery());
  const counts = useMemo(() => data && new Map(data.map((each) => [each.projectId, each])), [data]);
  return (
    <Card className="overflow-hidden">
      <Table>
        <TableHeader>
          <TableRow className="max-md:sr-only">
            <TableHead>Project</TableHead>
            <TableHead>Description</TableHead>
            <TableHead className="text-right">Actions</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {projects.map(({ id, title, ...project }) => (
            <TableRow key={id} className="max-md:grid max-md:py-2 max-md:first:border-t-0!">
              <TableCell dir="auto" className="w-2/5 wrap-anywhere font-medium max-md:h-auto max-md:w-auto">
                {title || `Project ${id}`}
                <Counts counts={counts?.get(id)} isLoaded={counts !== undefined} />
              </TableCell>
              <TableCell
                dir="auto"
                title={descriptionStart(project) || undefined}
                className="w-3/5 max-w-0 truncate text-muted-foreground max-md:h-auto max-md:w-auto max-md:max-w-none max-md:text-sm"
              >
                {descriptionStart(project) || "No description"}
              </TableCell>
              <TableCell className="text-right max-md:h-auto max-md:pt-2 max-md:text-left">
                <Button asChild variant="outline" size="sm">
                  <Link href={`/wp-publishing/${id}`}>Manage Publishing</Link>
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

/** What of a project is on the site, and what could be. The line keeps its height while it loads. */
function Counts({ counts, isLoaded }: { counts: PublishingCounts | undefined; isLoaded: boolean }) {
  return (
    <p dir="ltr" className="flex min-h-5 flex-wrap gap-x-3 font-normal text-muted-foreground text-sm tabular-nums">
      {counts ? (
        <>
          {counts.live > 0 ? <span>{counts.live.toLocaleString("en-US")} published</span> : null}
          {counts.ready > 0 ? <span>{counts.ready.toLocaleString("en-US")} to publish</span> : null}
          {counts.failed > 0 ? (
            <span className="text-destructive">{counts.failed.toLocaleString("en-US")} failed</span>
          ) : null}
        </>
      ) : isLoaded ? (
        "Nothing to publish yet"
      ) : null}
    </p>
  );
}

function NoProjects({ isSearch }: { isSearch: boolean }) {
  return (
    <EmptyState
      title="No projects found"
      description={
        isSearch
          ? "No project has these words in its title or description. Try other words."
          : "Create a project first, then come back to publish its content."
      }
      action={
        <Button asChild variant="outline">
          <Link href="/">Go to Projects</Link>
        </Button>
      }
    />
  );
}
