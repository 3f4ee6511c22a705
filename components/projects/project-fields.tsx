import { SiteField } from "@/components/projects/site-field";
import { Field } from "@/components/shared/field";
import { Required } from "@/components/shared/required";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { FieldErrors } from "@/lib/client/form";
import type { ProjectOut } from "@/lib/features/projects/schema";

/** The fields of a project, new or stored. */
export function ProjectFields({
  project,
  errors,
  onSite,
}: {
  project?: ProjectOut;
  errors: FieldErrors;
  onSite: (siteId: string) => void;
}) {
  return (
    <>
      <Field label="Title" error={errors.title} action={<Required />}>
        {/* A stored project arrives after the dialog has focused something else. */}
        <Input
          name="title"
          dir="auto"
          required
          autoComplete="off"
          defaultValue={project?.title}
          autoFocus={project !== undefined}
        />
      </Field>
      <Field
        label="Description"
        error={errors.description}
        hint="What the blog or campaign is about, and who it is for. The AI uses this."
      >
        <Textarea
          name="description"
          dir="auto"
          placeholder="Optional"
          rows={4}
          defaultValue={project?.description ?? ""}
        />
      </Field>
      <SiteField
        stored={project?.siteId ?? null}
        isNew={project === undefined}
        error={errors.siteId}
        onChange={onSite}
      />
    </>
  );
}
