import { LABELS } from "@/lib/ai/prompts/shared";
import { fencesOf } from "@/scripts/samples/ai/read-prompt";
import type { ChatRequest } from "@/scripts/samples/ai/wire";
import { clip, fill, lowerFirst, upperFirst } from "@/scripts/samples/ai/wording";

type Call = { name: string; input: unknown };

type Workspace = {
  title: string;
  persona: { name: string; age: number | null; description: string; interests: string[]; challenges: string[] } | null;
  topics: { name: string }[];
};

/** What the sample assistant answers in words to what the screen suggests asking; undefined to anything else. */
export function suggestedAnswer(request: ChatRequest, message: string): string | undefined {
  const workspace = workspaceOf(request);
  if (/\bplan a first month\b/i.test(message)) return firstMonth(message, workspace);
  if (!workspace) return undefined;
  if (/\bsuggest\b.*\btopics?\b/i.test(message)) return threeTopics(workspace);
  if (/\bdescribe\b.*\bpersona\b/i.test(message)) return aboutPersona(workspace);
  if (/\bquestions?\b.*\breaders?\b/i.test(message)) return firstQuestions(workspace);
  return undefined;
}

/** The calls that make what `threeTopics` has suggested. */
export function suggestedTopicCalls(request: ChatRequest): Call[] {
  const workspace = workspaceOf(request);
  if (!workspace) return [];
  return topicsFor(workspace).flatMap(({ name, description, keywords }) => [
    { name: "create_topic", input: { name, description } },
    { name: "add_keywords", input: { keywords } },
  ]);
}

/** Names the projects that a tool has listed; undefined if the result is another one's. */
export function projectList(result: string): string | undefined {
  const { projects } = dataIn<{ projects?: { title: string }[] }>(result, LABELS.toolResult) ?? {};
  if (!projects) return undefined;
  if (projects.length === 0) return "You have no projects yet. Try: create a project called “Balcony gardening”.";
  return `Your projects:\n\n${projects.map(({ title }) => `- ${title}`).join("\n")}`;
}

function workspaceOf({ messages }: ChatRequest): Workspace | undefined {
  const found = messages.find(({ content }) => String(content).includes(`<data name="${LABELS.workspace}">`));
  return found && dataIn<Workspace>(String(found.content), LABELS.workspace);
}

function dataIn<Data>(content: string, label: string): Data | undefined {
  const data = fencesOf([{ role: "user", content }]).get(label);
  return data === undefined ? undefined : (JSON.parse(data) as Data);
}

/** {T}: what the project is about. */
const TOPICS = [
  {
    name: "{T}: first steps",
    description: "What to settle before you begin, and a first result within a week.",
    keywords: ["{T} for beginners", "{T} checklist", "{T} step by step", "{T} basics", "{T} at home"],
  },
  {
    name: "{T}: tools and costs",
    description: "What you really need, what it costs, and what can wait.",
    keywords: ["{T} tools", "{T} cost", "{T} on a budget", "{T} starter kit", "{T} reviews"],
  },
  {
    name: "{T}: what goes wrong",
    description: "The mistakes nearly everybody makes, how to notice them early, and how to undo them.",
    keywords: ["{T} mistakes", "why {T} fails", "{T} questions", "{T} maintenance", "{T} alternatives"],
  },
  {
    name: "{T}: stories and examples",
    description: "How other people do it, told from start to finish.",
    keywords: ["{T} examples", "{T} ideas", "{T} for families", "{T} for small spaces", "{T} weekly routine"],
  },
];

/** Three topics that the project does not have. */
function topicsFor({ title, topics }: Workspace) {
  const known = new Set(topics.map(({ name }) => name));
  return topicsAbout(subjectOf(title))
    .filter(({ name }) => !known.has(name))
    .slice(0, 3);
}

/** "Spring planting guide 2027" is about spring planting. */
function subjectOf(title: string): string {
  return clip(title.replace(/ (?:guide|blog|handbook|journal)\b.*$/i, ""), 40);
}

function topicsAbout(subject: string) {
  const inside = { T: lowerFirst(subject) };
  return TOPICS.map(({ name, description, keywords }) => ({
    name: fill(name, { T: upperFirst(subject) }),
    description,
    keywords: keywords.map((keyword) => fill(keyword, inside)),
  }));
}

function threeTopics(workspace: Workspace): string {
  const lines = topicsFor(workspace).map(
    ({ name, description, keywords }) => `- **${name}**. ${description} Keywords: ${keywords.join(", ")}.`,
  );
  if (lines.length === 0) return "This project has all the topics that I could suggest.";
  return `${lines.join("\n")}\n\nSay “add them” to add them to the project.`;
}

function firstMonth(message: string, workspace: Workspace | undefined): string {
  const sold = /\bsell(?:ing)? ([^.!?,\n]+)/i.exec(message)?.[1];
  const subject = subjectOf(sold ?? workspace?.title ?? "your subject");
  const weeks = topicsAbout(subject).map(
    ({ name, description }, index) => `- **Week ${index + 1}: ${name}**. ${description}`,
  );
  const next = workspace ? "" : `\n\nTo keep it, say: create a project called “${upperFirst(subject)}”.`;
  return `${weeks.join("\n")}${next}`;
}

function aboutPersona({ persona }: Workspace): string {
  if (!persona) return "This project has no buyer persona yet. Try: set the persona to “Tessa Okafor”.";
  const { name, age, description, interests, challenges } = persona;
  const likes = interests.length > 0 ? ` Likes: ${interests.map(lowerFirst).join(", ")}.` : "";
  const worries = challenges.length > 0 ? ` Finds hard: ${challenges.map(lowerFirst).join(", ")}.` : "";
  return `**${name}${age === null ? "" : `, ${age}`}**. ${description}${likes}${worries}`;
}

function firstQuestions({ title, topics, persona }: Workspace): string {
  const worry = persona?.challenges[0];
  const questions = [
    `Where do I begin with ${lowerFirst(subjectOf(title))}?`,
    ...topics.slice(0, 3).map(({ name }) => `What should I know first about “${clip(name, 60)}”?`),
    ...(worry ? [`Does it work for me, too? (“${clip(worry, 90)}”)`] : []),
  ];
  return `Readers who are new to it usually ask:\n\n${questions.map((question) => `- ${question}`).join("\n")}`;
}
