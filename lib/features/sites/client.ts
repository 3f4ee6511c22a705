import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { actionData, api, trackCall } from "@/lib/client/api";
import { refetchNow, setAnswer } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError, toastUnlessFieldError } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import type { UserOut } from "@/lib/features/account/schema";
import type { SettingsInput } from "@/lib/features/account/settings/schema";
import { projectQuery } from "@/lib/features/projects/client";
import type { ListedProject, ProjectOut } from "@/lib/features/projects/schema";
import { saveSettingsAction } from "@/lib/features/sites/actions";
import { hasOtherSites, hostOf, siteOfProject } from "@/lib/features/sites/rules";
import type { AddSiteInput, ConnectionOut, SiteAnswer, SiteOut, UpdateSiteInput } from "@/lib/features/sites/schema";

/** The user's sites, the default one first. */
export function sitesQuery() {
  return queryOptions({ queryKey: keys.sites(), queryFn: () => api<SiteOut[]>("GET", "/api/sites") });
}

/**
 * `site`: undefined until it is known. `otherId`: its id unless it is the default site. `yourSite` and `yourWordPressSite` are what a
 * sentence calls it: its name where the user has several sites.
 */
export type ProjectSite = {
  site: SiteOut | undefined;
  otherId: string | undefined;
  url: string | null;
  name: string;
  yourSite: string;
  yourWordPressSite: string;
  isOneOfSeveral: boolean;
};

const UNNAMED = "your WordPress site";
const NONE: SiteOut[] = [];

/** The site that a project's pieces are published to. It is read once it `isShown`: a list has a dialog in each of its rows. */
export function useSiteOfProject(projectId: number, isShown = true): ProjectSite {
  const { data: sites = NONE } = useQuery({ ...sitesQuery(), enabled: isShown });
  const isOneOfSeveral = hasOtherSites(sites);
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: isShown && isOneOfSeveral });
  const address = useQueryData<UserOut | null>(keys.user())?.wordpressUrl ?? null;
  const site = siteOfProject(sites, project?.siteId);
  const url = site || isOneOfSeveral ? (site?.url ?? null) : address;
  const name = site?.name ?? hostOf(url) ?? UNNAMED;
  return {
    site,
    otherId: site?.isDefault ? undefined : site?.id,
    url,
    name,
    yourSite: isOneOfSeveral ? name : "your site",
    yourWordPressSite: isOneOfSeveral ? name : UNNAMED,
    isOneOfSeveral,
  };
}

/** False while it is not known which of several sites it is. */
export function isKnown({ site, isOneOfSeveral }: ProjectSite): boolean {
  return site !== undefined || !isOneOfSeveral;
}

/** For the toasts of a project's calls: its site if the user has several and it is known which one, else undefined. */
export function namedSite(client: QueryClient, projectId: number): SiteOut | undefined {
  const sites = client.getQueryData<SiteOut[]>(keys.sites()) ?? NONE;
  const listed = client.getQueryData<ListedProject[]>(keys.projects())?.find(({ id }) => id === projectId);
  const siteId = (client.getQueryData<ProjectOut>(keys.project(projectId)) ?? listed)?.siteId;
  return hasOtherSites(sites) ? siteOfProject(sites, siteId) : undefined;
}

/** Saves the API key and the default site. The form shows field errors. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SettingsInput) =>
      trackCall({ method: "PATCH", url: "/api/user/settings" }, () => actionData(saveSettingsAction(input))),
    onSuccess: (user) => {
      setAnswer(client, keys.user(), user);
      client.removeQueries({ queryKey: keys.categories() });
      toast({ title: "Success", description: "Your settings have been updated successfully", subject: "settings" });
    },
    onError: (error) =>
      toastError(error, { fallback: "Your settings could not be saved. Please try again.", subject: "settings" }),
  });
}

/** Adds a site. The form shows why it was refused. */
export function useAddSite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: AddSiteInput) => api<SiteOut>("POST", "/api/sites", input),
    onSuccess: ({ id, name }) => {
      toast({ title: "Site added", description: `${name} is connected.`, subject: siteSubject(id) });
      return refetchNow(client, keys.sites());
    },
  });
}

/** Changes a site, or makes it the default one. Forms show field errors. */
export function useUpdateSite(id: string) {
  const client = useQueryClient();
  const subject = siteSubject(id);
  return useMutation({
    mutationFn: (input: UpdateSiteInput) => api<SiteOut>("PATCH", `/api/sites/${id}`, input),
    onSuccess: ({ name }, { isDefault }) => {
      client.removeQueries({ queryKey: keys.categories() });
      toast(
        isDefault
          ? { title: "Default site changed", description: `${name} is your default site now.`, subject }
          : { title: "Site saved", description: `${name} is up to date.`, subject },
      );
      return refetchNow(client, keys.sites());
    },
    onError: (error) =>
      toastUnlessFieldError(error, { fallback: "The site could not be saved. Please try again.", subject }),
  });
}

/** Removes a site from the list. Nothing is deleted there. */
export function useRemoveSite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: SiteOut) => api<void>("DELETE", `/api/sites/${id}`),
    onSuccess: (_answer, { id, name }) => {
      toast({ title: "Site removed", description: `Nothing was deleted on ${name}.`, subject: siteSubject(id) });
      // We await this: the dialog returns the focus to an element that must still be there.
      return refetchNow(client, keys.sites());
    },
    onError: (error, { id }) =>
      toastError(error, { fallback: "The site could not be removed. Please try again.", subject: siteSubject(id) }),
  });
}

/** Signs in to a site and reads the account's role there; writes nothing. */
export function useTestSite(id: string) {
  return useMutation({
    mutationFn: (site?: SiteAnswer) => api<ConnectionOut>("POST", `/api/sites/${id}/test`, ...(site ? [{ site }] : [])),
  });
}

function siteSubject(id: string): string {
  return `site:${id}`;
}
