/** @jest-environment jsdom */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { act, screen } from "@testing-library/react";
import { Button } from "@/components/ui/button";
import { guardPresses } from "@/lib/client/presses";
import * as google from "@/lib/features/account/google/client";
import * as ownData from "@/lib/features/account/own-data/client";
import * as reset from "@/lib/features/account/reset/client";
import * as sessions from "@/lib/features/account/sessions/client";
import * as settings from "@/lib/features/account/settings/client";
import * as content from "@/lib/features/content/client";
import * as mutations from "@/lib/features/generation/client/mutations";
import * as streams from "@/lib/features/generation/client/streams";
import * as unfinished from "@/lib/features/generation/client/unfinished";
import * as instructions from "@/lib/features/instructions/client";
import * as projects from "@/lib/features/projects/client";
import * as publishing from "@/lib/features/publishing/client";
import * as sites from "@/lib/features/sites/client";
import * as connecting from "@/lib/features/sites/connecting/client";
import * as topics from "@/lib/features/topics/client";
import * as jobs from "@/lib/features/work/client";
import { aPiece, aSummary } from "@/tests/support/pieces";
import { clickTwice, holdEnter } from "@/tests/support/presses";
import { aJob } from "@/tests/support/publishing-jobs";
import { renderScreen } from "@/tests/support/render";

// Every mutation of the source, pressed twice and held: it is made once. What is new in the source has to be added here.

/** Milliseconds between the presses, and those of the network. */
const GAPS = [0, 60, 150, 250, 350];
const NETWORK = [0, 60];

let networkMs = 0;
let calls = 0;
const ANSWER = {
  ...aPiece(),
  message: "Done.",
  jobId: "12345678",
  saved: false,
  keywords: [],
  count: 1,
  location: "#",
};

/** Counts the call, and answers after the network's time. */
async function answered<T>(answer: T): Promise<T> {
  calls += 1;
  if (networkMs > 0) await new Promise((resolve) => setTimeout(resolve, networkMs));
  return answer;
}

const mockAction = () => answered({ ok: true, data: ANSWER });
jest.mock("@/lib/features/account/google/actions", () => ({
  linkGoogleAction: () => mockAction(),
  unlinkGoogleAction: () => mockAction(),
}));
jest.mock("@/lib/features/account/reset/actions", () => ({ confirmResetAction: () => mockAction() }));
jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: () => mockAction() }));
jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: () => mockAction() }));
jest.mock("@/lib/client/toast", () => ({
  ...jest.requireActual("@/lib/client/toast"),
  toast: jest.fn(),
  toastError: jest.fn(),
}));
jest.mock("next/navigation", () => ({ useRouter: () => ({ refresh: () => undefined }) }));

function answerCalls() {
  global.fetch = jest.fn(async (url: string, { method = "GET" }: RequestInit = {}) => {
    const isCounted = method !== "GET" || url === "/api/user/export";
    const response = {
      ok: true,
      status: 200,
      headers: new Headers(),
      json: async () => (isCounted ? ANSWER : []),
      blob: async () => new Blob(),
      text: async () => "",
    };
    return isCounted ? answered(response) : response;
  }) as unknown as typeof fetch;
}

type Mutation = { mutate: (input: never) => void; isPending: boolean };
type Press = [use: () => Mutation, input?: unknown];

const TOPIC = { id: 7, projectId: 3 };
const PIECE = aSummary({ id: "a" });

/** How each mutation is pressed. */
const PRESSES: Record<string, Press> = {
  useLinkGoogle: [google.useLinkGoogle, {}],
  useUnlinkGoogle: [google.useUnlinkGoogle, {}],
  useExport: [ownData.useExport],
  useDeleteAccount: [() => ownData.useDeleteAccount(() => undefined), { confirm: "maren" }],
  useConfirmReset: [reset.useConfirmReset, {}],
  useEndOtherSessions: [sessions.useEndOtherSessions],
  useSaveSettings: [sites.useSaveSettings, {}],
  useAddSite: [sites.useAddSite, { url: "https://blog.example.com" }],
  useUpdateSite: [() => sites.useUpdateSite("s"), { name: "Garden blog" }],
  useRemoveSite: [sites.useRemoveSite, { id: "s", name: "Garden blog" }],
  useTestSite: [() => sites.useTestSite("s")],
  useChangeAccount: [() => settings.useChangeAccount({ title: "Changed", description: "" }), { username: "maren" }],
  useConnectSite: [connecting.useConnectSite, { url: "blog.example.com" }],
  useCreateContent: [() => content.useCreateContent({ projectId: 3, topicId: 7 }), { title: "Sowing" }],
  useRenameContent: [() => content.useRenameContent(PIECE), { title: "Watering" }],
  useDeleteContent: [content.useDeleteContent, PIECE],
  useRestoreRevision: [() => content.useRestoreRevision("a"), "r"],
  useAutoAddKeywords: [() => mutations.useAutoAddKeywords(TOPIC)],
  useSuggestKeywords: [() => mutations.useSuggestKeywords(7)],
  useGenerateIdeas: [() => mutations.useGenerateIdeas(3), { topicId: 7, ideasPerKeyword: 3 }],
  useGenerateOutline: [mutations.useGenerateOutline, PIECE],
  useProposeFields: [() => mutations.useProposeFields("a", async () => aPiece())],
  useQueueTopic: [() => mutations.useQueueTopic("outlines", TOPIC)],
  useDropUnfinished: [() => unfinished.useDropUnfinished("a")],
  useStopWriting: [() => streams.useStopWriting("a")],
  useCreateInstruction: [instructions.useCreateInstruction, { text: "Be brief." }],
  useUpdateInstruction: [() => instructions.useUpdateInstruction({ id: 1 }), { text: "Be brief." }],
  useDeleteInstruction: [instructions.useDeleteInstruction, 1],
  useResumeProcessing: [jobs.useResumeProcessing],
  usePauseProcessing: [jobs.usePauseProcessing],
  useQueueItem: [jobs.useQueueItem, { item: { id: "i" }, verb: "retry" }],
  useRetryFailed: [jobs.useRetryFailed, null],
  useDismissFailed: [jobs.useDismissFailed, { reason: "Declined." }],
  useCancelJob: [jobs.useCancelJob, { id: "j" }],
  useRetryJob: [jobs.useRetryJob, { id: "j" }],
  useCreateProject: [projects.useCreateProject, { title: "Garden" }],
  useUpdateProject: [() => projects.useUpdateProject(3), { title: "Garden" }],
  useSaveStyle: [() => projects.useSaveStyle(3), {}],
  useDeleteProject: [projects.useDeleteProject, 3],
  useSavePersona: [() => projects.useSavePersona(3, undefined), { name: "Ada" }],
  usePublishContent: [publishing.usePublishContent, { piece: PIECE }],
  useUnpublishContent: [publishing.useUnpublishContent, PIECE],
  useSyncContent: [publishing.useSyncContent, PIECE],
  useStartPublishing: [() => publishing.useStartPublishing(3), { verb: "publish_all" }],
  useCancelPublishing: [publishing.useCancelPublishing, aJob()],
  useRetryPublishing: [publishing.useRetryPublishing, { job: aJob() }],
  useCreateTopic: [() => topics.useCreateTopic(3), { name: "Seeds", description: "Sown." }],
  useUpdateTopic: [() => topics.useUpdateTopic(TOPIC), { name: "Seeds" }],
  useDeleteTopic: [() => topics.useDeleteTopic(TOPIC)],
  useAddKeyword: [() => topics.useAddKeyword(TOPIC), { keyword: "seeds" }],
  useUpdateKeyword: [() => topics.useUpdateKeyword(TOPIC), { id: 1, keyword: "seed" }],
  useDeleteKeyword: [() => topics.useDeleteKeyword(TOPIC), 1],
  useAddSuggestedKeywords: [() => topics.useAddSuggestedKeywords(TOPIC), { keywords: ["seeds"] }],
};

/** What is no mutation, and so has no press here: what makes it once. */
const OTHERS: Record<string, string> = {
  startChat: "the screen, on opening",
  sendMessage: "the composer, which empties its field: conversation.test.tsx",
  saveContent: "the draft saver, one save at a time: draft-saver.test.ts",
  sendCopies: "signing out",
  writePiece: "the piece's writer, one text at a time: editor-states.test.tsx",
  requestRewrite: "the assist dialog, where a new request ends the last: assist-dialog.test.tsx",
};

/** The functions of features/*\/client that make calls, by whether they are mutations. */
function callersInSource(): { mutations: string[]; others: string[] } {
  const root = path.join("lib", "features");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\bclient(\.ts|\/)/.test(file),
  );
  const exported = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(path.join(root, file), "utf8")
        .split(/^export /m)
        .slice(1),
    )
    .map((code) => ({ code, name: /^(?:async )?function (\w+)/.exec(code)?.[1] ?? "" }))
    .filter(({ name }) => name !== "");
  const isMutation = ({ code }: { code: string }) => /use(Optimistic)?Mutation\(/.test(code);
  const callers = exported.filter(({ code }) => /trackCall\(|"(POST|PATCH|PUT|DELETE)"/.test(code));
  return {
    mutations: exported.filter(isMutation).map(({ name }) => name),
    others: callers.filter((each) => !isMutation(each)).map(({ name }) => name),
  };
}

/** What pages, rows and menus do on a press, as the source says it. */
const ACTIONS: Record<string, string> = {
  "actions.onAgain": "opens a form",
  "actions.onCopy": "copies",
  "verbs.edit": "opens a form",
  "verbs.makeDefault": "useUpdateSite",
  "verbs.remove": "asks",
  "verbs.test": "useTestSite",
  "editor.saveChanges": "one save at a time: content-editor.test.tsx",
  "writer.writeBody": OTHERS.writePiece as string,
  "() => sync.mutate(piece)": "useSyncContent",
  "() => confirm(held)": "useStartPublishing",
  ask: "asks",
  "site.ask": "asks",
  "() => outline.mutate(piece)": "useGenerateOutline",
  "() => setDeleting(true)": "asks",
  '() => setOpenDialog("delete")': "asks",
  '() => setOpenDialog("edit")': "opens a form",
  '() => setOpenDialog("ideas")': "opens a form",
  "() => setConfirming(verb)": "asks",
  "isUpdate ? onUpdate : onPublish": "asks, or opens the choice of a category",
  "() => queue.mutate()": "useQueueTopic",
  "() => resume.mutate()": "useResumeProcessing",
  "() => pause.mutate()": "usePauseProcessing",
  "() => hand.mutate({ item, verb })": "useQueueItem",
  "() => run(index, command, line.current)": "edits the text on the screen",
  "() => refetch()": "reads",
  refresh: "reads",
};

function actionsInSource(): string[] {
  const files = readdirSync("components", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  const code = files.map((file) => readFileSync(path.join("components", file), "utf8")).join("\n");
  return [...code.matchAll(/\bonSelect: (.+?)(?:,$| \},?$)/gm)].flatMap(([, expression]) => expression ?? []);
}

function Presser({ press: [use, input] }: { press: Press }) {
  const mutation = use();
  return (
    <Button pending={mutation.isPending} onClick={() => mutation.mutate(input as never)}>
      Press
    </Button>
  );
}

let stop: () => void = () => undefined;
beforeEach(() => {
  jest.useFakeTimers();
  stop = guardPresses(window);
  answerCalls();
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});

it("knows every function of the source that makes a call", () => {
  const { mutations, others } = callersInSource();
  expect(mutations.sort()).toEqual(Object.keys(PRESSES).sort());
  expect(others.sort()).toEqual(Object.keys(OTHERS).sort());
});

it("knows every action of a page, a row or a menu", () => {
  const actions = new Set(actionsInSource());
  // A property of the table on the publishing screen.
  actions.delete("select, publishing");
  expect([...actions].sort()).toEqual(Object.keys(ACTIONS).sort());
});

const button = () => screen.getByRole("button", { name: "Press" });

it.each(Object.keys(PRESSES))("%s is made once by a double click and by a held Enter", async (name) => {
  const made: Record<string, number> = {};
  async function count(how: string, press: () => Promise<void>) {
    calls = 0;
    const { unmount } = renderScreen(<Presser press={PRESSES[name] as Press} />);
    await press();
    made[how] = calls;
    unmount();
  }
  for (networkMs of NETWORK) {
    for (const gap of GAPS) await count(`${gap} ms, network ${networkMs} ms`, () => clickTwice(button, gap));
    await count(`held, network ${networkMs} ms`, () => holdEnter(button));
  }
  expect(made).toEqual(Object.fromEntries(Object.keys(made).map((how) => [how, 1])));
  await act(() => jest.runOnlyPendingTimersAsync());
});
