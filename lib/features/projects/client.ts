import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { actionData, api, apiList, trackCall } from "@/lib/client/api";
import { refetchNow, setAnswer } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { createProjectAction } from "@/lib/features/projects/actions";
import type {
  CreatePersonaInput,
  CreateProjectInput,
  ListedProject,
  PersonaOut,
  ProjectDetail,
  WritingStyle,
} from "@/lib/features/projects/schema";
import type { KEY_FIELD } from "@/lib/idempotency/header";
import { DESCRIPTION_START } from "@/lib/utils/text";

/** All projects of the user, newest first, with the starts of their descriptions. */
export function projectsQuery() {
  return queryOptions({
    queryKey: keys.projects(),
    queryFn: () => apiList<ListedProject>(`/api/projects?description=${DESCRIPTION_START}`),
  });
}

/** The projects with this text in their title or anywhere in their description, newest first. */
export function projectSearchQuery(search: string) {
  return queryOptions({
    queryKey: keys.projectSearch(search),
    // Reading `signal` aborts a search that a newer one has replaced.
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ description: String(DESCRIPTION_START), search });
      return apiList<ListedProject>(`/api/projects?${query}`, { signal });
    },
  });
}

/** One project. */
export function projectQuery(id: number) {
  return queryOptions({ queryKey: keys.project(id), queryFn: () => api<ProjectDetail>("GET", `/api/projects/${id}`) });
}

/** The project's buyer persona, or null while there is none. */
export function personaQuery(projectId: number) {
  return queryOptions({
    queryKey: keys.persona(projectId),
    queryFn: () => api<PersonaOut | null>("GET", `/api/projects/${projectId}/buyer-persona`),
  });
}

export function useCreateProject() {
  return useMutation({
    mutationFn: (input: CreateProjectInput & { [KEY_FIELD]: string }) =>
      trackCall({ method: "POST", url: "/api/projects" }, () => actionData(createProjectAction(input))),
    onSuccess: () => toast({ title: "Success", description: "Project created successfully", subject: "new project" }),
    onError: (error) => toastError(error, { fallback: "Failed to create project", subject: "new project" }),
  });
}

/** Changes a project's title, description and site. */
export function useUpdateProject(id: number) {
  const client = useQueryClient();
  const subject = `project:${id}`;
  return useMutation({
    mutationFn: (input: CreateProjectInput) => api<ProjectDetail>("PATCH", `/api/projects/${id}`, input),
    onSuccess: (saved) => {
      toast({ title: "Success", description: "Project updated successfully", subject });
      setAnswer(client, keys.project(id), saved);
    },
    onError: (error) => toastError(error, { fallback: "Failed to update project", subject }),
  });
}

/** Saves how the AI writes the project's texts. */
export function useSaveStyle(projectId: number) {
  const client = useQueryClient();
  const subject = `style:${projectId}`;
  return useMutation({
    mutationFn: (writing: WritingStyle) => api<ProjectDetail>("PATCH", `/api/projects/${projectId}`, { writing }),
    onSuccess: (saved) => {
      toast({ title: "Success", description: "Writing style updated successfully", subject });
      setAnswer(client, keys.project(projectId), saved);
    },
    onError: (error) =>
      toastError(error, { fallback: "The writing style could not be saved. Please try again.", subject }),
  });
}

/** Deletes a project with everything in it. Posts on the user's site stay. */
export function useDeleteProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api<void>("DELETE", `/api/projects/${id}`),
    onSuccess: (_answer, id) => {
      toast({ title: "Success", description: "Project deleted successfully", subject: `project:${id}` });
      // We await this: the dialog returns the focus to an element that must still be there.
      return refetchNow(client, keys.projects());
    },
    onError: (error, id) => toastError(error, { fallback: "Failed to delete project", subject: `project:${id}` }),
  });
}

/** Creates the persona, or updates the one with this id. */
export function useSavePersona(projectId: number, personaId: number | undefined) {
  const client = useQueryClient();
  const subject = `persona:${projectId}`;
  return useMutation({
    mutationFn: (input: CreatePersonaInput) =>
      personaId === undefined
        ? api<PersonaOut>("POST", `/api/projects/${projectId}/buyer-persona`, input)
        : api<PersonaOut>("PATCH", `/api/buyer-personas/${personaId}`, input),
    onSuccess: (saved) => {
      const done = personaId === undefined ? "created" : "updated";
      toast({ title: "Success", description: `Buyer persona ${done} successfully`, subject });
      setAnswer(client, keys.persona(projectId), saved);
    },
    onError: (error) =>
      toastError(error, { fallback: "The buyer persona could not be saved. Please try again.", subject }),
  });
}
