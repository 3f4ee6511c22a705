import "server-only";
import { z } from "zod";
import { boundedWorkspace } from "@/lib/ai/prompts/assistant";
import type { ToolCall, ToolSpec } from "@/lib/ai/prompts/prompt";
import type { Actor } from "@/lib/auth/actor";
import { AppError, defaultMessage, isAppError } from "@/lib/errors";
import { workspaceOf } from "@/lib/features/assistant/reads";
import { MAX_ACTIONS, type Refusal } from "@/lib/features/assistant/rules";
import type { ActionType, ChatAction } from "@/lib/features/assistant/schema";
import { listProjects, personaOf } from "@/lib/features/projects/reads";
import {
  createPersonaInput,
  createProjectInput,
  personaFields,
  updatePersonaInput,
} from "@/lib/features/projects/schema";
import { createPersona, createProject, updatePersona } from "@/lib/features/projects/writes";
import { ownedTopic } from "@/lib/features/topics/reads";
import { addSuggestedInput, createTopicInput } from "@/lib/features/topics/schema";
import { addKeywords, createTopic } from "@/lib/features/topics/writes";
import { log } from "@/lib/log";
import { withoutLongRuns } from "@/lib/utils/normal-form";
import { DESCRIPTION_START, storable } from "@/lib/utils/text";
import { bodyIntId } from "@/lib/utils/zod";

/** Defaults for ids that a call leaves out: the conversation's project, then what this turn has made. */
export type Scope = { projectId: number | null; topicId: number | null };

/** `result` is for the provider; the others are for the user. */
export type ToolResult = { result: string; action?: ChatAction; refused?: Refusal };

/** Runs one call for this user. Never throws: the provider gets a failure as the call's result. */
export async function runTool(actor: Actor, call: ToolCall, scope: Scope, madeSoFar: number): Promise<ToolResult> {
  const tool = TOOLS.get(call.name);
  if (!tool) {
    const label = call.name.replace(/\W+/g, " ").trim().slice(0, 60) || "a tool without a name";
    return { result: failed(`There is no tool ${label}. ${NOT_AVAILABLE}`), refused: { label, error: NOT_AVAILABLE } };
  }
  if (!tool.makes) return look(() => tool.run(actor, call.input, scope));
  const type = tool.makes;
  const asked = { tool: call.name, type, label: labelOf(type, call.input), ok: false };
  if (madeSoFar >= MAX_ACTIONS) {
    const error = `One message can make at most ${MAX_ACTIONS} changes. Send another message for the rest.`;
    return { result: failed(error), action: { ...asked, error } };
  }
  try {
    const { made, facts } = await tool.run(actor, call.input, scope);
    const action = { ...asked, ...made, ok: true };
    return { result: JSON.stringify({ ok: true, ...facts }), action };
  } catch (cause) {
    const error = failureMessage(cause, actor);
    return { result: failed(error), action: { ...asked, error } };
  }

  async function look(run: () => Promise<ToolOutcome>): Promise<ToolResult> {
    try {
      return { result: JSON.stringify({ ok: true, ...(await run()).facts }) };
    } catch (cause) {
      return { result: failed(failureMessage(cause, actor)) };
    }
  }
}

/** The tools in the provider's format; their parameters come from the schemas that calls are parsed with. */
export function toolSpecs(): ToolSpec[] {
  return [...TOOLS].map(([name, { description, input }]) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
    return { name, description, parameters };
  });
}

/** `facts` are for the provider, `made` is for the user. */
type ToolOutcome = {
  facts: Record<string, unknown>;
  made?: Pick<ChatAction, "id" | "label" | "projectId" | "topicId" | "name" | "description" | "keywords">;
};
type Tool = {
  description: string;
  input: z.ZodType;
  /** What it creates; undefined for a tool that only reads. */
  makes: ActionType | undefined;
  run: (actor: Actor, json: string, scope: Scope) => Promise<ToolOutcome>;
};

const NOUN: Record<ActionType, string> = {
  project: "project",
  persona: "buyer persona",
  topic: "topic",
  keyword: "keywords",
};

const MAX_LISTED = 100;
const NOT_AVAILABLE = "This cannot be done from here. Nothing happened.";

/** Names a call by its unvalidated arguments. */
function labelOf(type: ActionType, json: string): string {
  const { title, name = title, keywords } = WORDS.safeParse(safeRead(json)).data ?? {};
  if (keywords) return storable(`${NOUN[type]} ${keywords.join(", ")}`.slice(0, MAX_LABEL));
  return name === undefined ? NOUN[type] : storable(`${NOUN[type]} “${name.slice(0, MAX_LABEL)}”`);
}

const MAX_LABEL = 100;
const WORDS = z.object({ title: z.string(), name: z.string(), keywords: z.array(z.string()) }).partial();

function tool<S extends z.ZodType>(parts: {
  description: string;
  makes?: ActionType;
  input: S;
  run: (actor: Actor, input: z.output<S>, scope: Scope) => Promise<ToolOutcome>;
}): Tool {
  const { description, makes, input, run } = parts;
  return { description, makes, input, run: async (actor, json, scope) => run(actor, parse(input, read(json)), scope) };
}

/** The REST paths' verbs and schemas. No tool deletes, queues or publishes. */
const TOOLS = new Map<string, Tool>([
  [
    "create_project",
    tool({
      description: "Creates a project. Later calls use it when they name no other.",
      makes: "project",
      input: createProjectInput,
      async run(actor, input, scope) {
        const { id, title, description } = await createProject(actor, input);
        Object.assign(scope, { projectId: id, topicId: null });
        const made = { id, label: `project “${title}”`, projectId: id, name: title, ...described(description) };
        return { made, facts: { projectId: id, title } };
      },
    }),
  ],
  [
    "set_buyer_persona",
    tool({
      description:
        "Creates the project's buyer persona, or changes the given fields of the one there is. A list that is given replaces the one there is.",
      makes: "persona",
      input: personaFields.extend({ projectId: bodyIntId().optional() }),
      async run(actor, { projectId, ...fields }, scope) {
        const project = projectOf(projectId, scope);
        const known = await personaOf(actor, project);
        const persona = known
          ? await updatePersona(actor, known.id, parse(updatePersonaInput, fields))
          : await createPersona(actor, project, parse(createPersonaInput, fields));
        const { id, name, description } = persona;
        const made = { id, label: `buyer persona “${name}”`, projectId: project, name, ...described(description) };
        return { made, facts: { personaId: id } };
      },
    }),
  ],
  [
    "create_topic",
    tool({
      description: "Creates a topic in a project. Later calls use it when they name no other.",
      makes: "topic",
      input: createTopicInput.extend({ projectId: bodyIntId().optional() }),
      async run(actor, { projectId, ...input }, scope) {
        const project = projectOf(projectId, scope);
        const { id, name, description } = await createTopic(actor, project, input);
        scope.topicId = id;
        const made = { id, label: `topic “${name}”`, projectId: project, topicId: id, name, ...described(description) };
        return { made, facts: { topicId: id, name } };
      },
    }),
  ],
  [
    "add_keywords",
    tool({
      description: "Adds keywords to a topic; those it has already are skipped.",
      makes: "keyword",
      input: addSuggestedInput.extend({ topicId: bodyIntId().optional() }),
      async run(actor, { topicId, keywords }, scope) {
        const id = topicId ?? scope.topicId;
        if (id === null) throw new AppError("VALIDATION_ERROR", { message: "Which topic? Give its topicId." });
        // Rows come newest first; reversed, they are in the requested order.
        const added = (await addKeywords(actor, id, { keywords })).map(({ keyword }) => keyword).reverse();
        const label = added.length > 0 ? `keywords ${added.join(", ")}` : "no new keywords: the topic has them already";
        const { name, projectId } = await ownedTopic(actor, id);
        return { made: { label, projectId, topicId: id, name, keywords: added }, facts: { topicId: id, added } };
      },
    }),
  ],
  [
    "list_projects",
    tool({
      description: "Lists the person's projects with their ids, newest first.",
      input: z.object({}),
      async run(actor) {
        const { items } = await listProjects(actor, { description: DESCRIPTION_START, limit: MAX_LISTED });
        return { facts: { projects: items.map(({ id, title }) => ({ id, title })) } };
      },
    }),
  ],
  [
    "show_project",
    tool({
      description: "Shows a project: description, persona, topics and keywords, with ids.",
      input: z.object({ projectId: bodyIntId().optional() }),
      async run(actor, { projectId }, scope) {
        return { facts: { project: boundedWorkspace(await workspaceOf(actor, projectOf(projectId, scope))) } };
      },
    }),
  ],
]);

function described(description: string | null): { description?: string } {
  return description ? { description } : {};
}

function projectOf(named: number | undefined, scope: Scope): number {
  const id = named ?? scope.projectId;
  if (id === null)
    throw new AppError("VALIDATION_ERROR", { message: "Which project? Give its projectId, or create one." });
  return id;
}

function read(json: string): unknown {
  const value = safeRead(json);
  if (value === undefined) throw new AppError("VALIDATION_ERROR", { message: BROKEN_ARGUMENTS });
  return value;
}

/** The model gets this as the tool's result, and may call again. */
export const BROKEN_ARGUMENTS = "The arguments were not valid JSON.";

function safeRead(json: string): unknown {
  try {
    // We trim them like all provider texts; the schemas would reject overlong runs.
    return JSON.parse(json || "{}", (_, member) => (typeof member === "string" ? withoutLongRuns(member) : member));
  } catch {
    return undefined;
  }
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  throw new AppError("VALIDATION_ERROR", { message: wrong.join("; ").slice(0, 500) });
}

function failed(error: string): string {
  return JSON.stringify({ ok: false, error });
}

/** A message for provider and user; unexpected errors are logged and not shown. */
function failureMessage(cause: unknown, actor: Actor): string {
  if (isAppError(cause)) return cause.message;
  log.error({ err: cause, requestId: actor.context.requestId }, "a tool of the assistant failed");
  return defaultMessage("INTERNAL");
}
