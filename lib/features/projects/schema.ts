import { z } from "zod";
import { PROJECT_SEARCH_MAX, STYLE_INSTRUCTIONS_MAX, WORDS_MAX, WORDS_MIN } from "@/lib/features/projects/rules";
import { descriptionCut, descriptionQuery, isoDate, pageQuery, patchInput, text, uuid } from "@/lib/utils/zod";

/** Bounds the list of projects, which is not cut by number. */
export const MAX_PROJECTS = 1000;
export const DESCRIPTION_MAX = 5000;

const project = {
  title: text(200, 1),
  description: text(DESCRIPTION_MAX).nullish(),
  /** The site its pieces are published to; by default, the user's default site. */
  siteId: uuid.optional(),
};

/** How texts are written; null leaves it to the AI. */
export const writingStyle = z
  .object({
    tone: text(100).nullable(),
    language: text(50).nullable(),
    words: z
      .number("Use a whole number.")
      .int("Use a whole number.")
      .min(WORDS_MIN, `Use ${WORDS_MIN} to ${WORDS_MAX.toLocaleString("en-US")}.`)
      .max(WORDS_MAX, `Use ${WORDS_MIN} to ${WORDS_MAX.toLocaleString("en-US")}.`)
      .nullable(),
    instructions: text(STYLE_INSTRUCTIONS_MAX).nullable(),
  })
  .meta({ id: "WritingStyle" });

export const createProjectInput = z.object(project);
export const updateProjectInput = patchInput(z.object({ ...project, writing: writingStyle }));

export const projectOut = z
  .object({
    id: z.number().int(),
    title: z.string(),
    description: z.string().nullable(),
    userId: z.uuid(),
    /** Null: it has no post yet and follows the default site. */
    siteId: z.uuid().nullable(),
    createdAt: isoDate,
  })
  .meta({ id: "Project" });

/** A project in a list. */
export const listedProjectOut = projectOut.extend({ descriptionCut }).meta({ id: "ListedProject" });

export const listProjectsQuery = z.object({
  search: text(PROJECT_SEARCH_MAX)
    .optional()
    .meta({ description: "Text in the title or the whole description, in any case." }),
  ...descriptionQuery,
  ...pageQuery,
});

/** One project, with how its texts are written. */
export const projectDetailOut = projectOut
  .extend({
    writing: z.object({
      tone: z.string().nullable(),
      language: z.string().nullable(),
      words: z.number().int().nullable(),
      instructions: z.string().nullable(),
    }),
  })
  .meta({ id: "ProjectDetail" });

const traits = z
  .array(text(200))
  .max(50)
  .transform((list) => list.filter((item) => item !== ""));
const persona = {
  name: text(200, 1),
  age: z.number("Use a whole number.").int().min(0, "Use 0 to 120.").max(120, "Use 0 to 120.").nullable(),
  description: text(DESCRIPTION_MAX, 1),
  interests: traits,
  challenges: traits,
};

export const createPersonaInput = z.object({
  ...persona,
  age: persona.age.default(null),
  interests: traits.default([]),
  challenges: traits.default([]),
});
/** Any of a persona's fields; the assistant's tool adds the project id. */
export const personaFields = z.object(persona).partial();
export const updatePersonaInput = patchInput(personaFields);

export const personaOut = z
  .object({
    id: z.number().int(),
    projectId: z.number().int(),
    name: z.string(),
    age: z.number().int().nullable(),
    description: z.string(),
    interests: z.array(z.string()),
    challenges: z.array(z.string()),
    createdAt: isoDate,
  })
  .meta({ id: "BuyerPersona" });

export type CreateProjectInput = z.infer<typeof createProjectInput>;
export type UpdateProjectInput = z.infer<typeof updateProjectInput>;
export type WritingStyle = z.infer<typeof writingStyle>;
export type ProjectOut = z.infer<typeof projectOut>;
export type ListedProject = z.infer<typeof listedProjectOut>;
export type ListProjectsQuery = z.infer<typeof listProjectsQuery>;
export type ProjectDetail = z.infer<typeof projectDetailOut>;
export type CreatePersonaInput = z.infer<typeof createPersonaInput>;
export type UpdatePersonaInput = z.infer<typeof updatePersonaInput>;
export type PersonaOut = z.infer<typeof personaOut>;
